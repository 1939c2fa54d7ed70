// RESET
using Garnet.Engine.Clients;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Configuration;
using Garnet.Server.Messaging;
using Garnet.Server.Monitoring;
using Garnet.Server.Tracking;

namespace Garnet.Server.Commands.Connection;

/// <summary>Resets the connection to its initial state, except for its library's name and version.</summary>
internal sealed class ResetCommand(MonitorFeed monitors, MessageHub messages, KeyTracking tracking, ServerConfiguration configuration)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "RESET",
        Arity = 1,
        Flags =
            CommandFlags.NoScript
            | CommandFlags.Loading
            | CommandFlags.Stale
            | CommandFlags.Fast
            | CommandFlags.NoAuth
            | CommandFlags.AllowBusy,
        Group = CommandGroup.Connection,
        Traits = CommandTraits.OfConnection | CommandTraits.ControlsTransaction | CommandTraits.ForSubscribers,
        Since = "6.2.0",
        MakeHandler = static parts =>
            new ResetCommand(
                parts.Get<MonitorFeed>(),
                parts.Get<MessageHub>(),
                parts.Get<KeyTracking>(),
                parts.Get<ServerConfiguration>()
            ).Execute,
    };

    private void Execute(ref CommandContext context)
    {
        ClientSession client = context.Client;
        monitors.Remove(client);
        client.Transactions.Reset();
        messages.Leave(client);
        tracking.TurnOff(client);
        client.Store.Database = 0;
        client.Names.Client = "";
        client.Modes.IsReadOnly = client.Modes.NoEvict = false;
        ClientImportSourceCommand.Set(client, isOn: false);
        client.Store.RefreshTime();
        client.Store.Accesses.Touches = true;
        client.Login.End(mayBeDefault: true);
        client.Modes.Reply = ReplyMode.On;
        client.ProtocolVersion = configuration.Current.ClientDefaultResp;
        context.Reply.ProtocolVersion = client.ProtocolVersion;
        context.Reply.Suppressed = false;
        context.Reply.WriteSimpleString("RESET"u8);
    }
}
