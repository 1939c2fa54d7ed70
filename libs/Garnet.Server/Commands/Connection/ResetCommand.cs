// RESET
using Garnet.Server.CommandModel;
using Garnet.Server.Sessions;

namespace Garnet.Server.Commands.Connection;

/// <summary>Resets the connection to its initial state, except for its library's name and version.</summary>
internal static class ResetCommand
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
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        ClientSession client = context.Client;
        context.Server.Monitors.Remove(client);
        client.Transactions.Reset();
        context.Server.Messages.Leave(client);
        context.Server.Tracking.TurnOff(client);
        client.Store.Database = 0;
        client.Names.Client = "";
        client.Modes.IsReadOnly = client.Modes.NoEvict = false;
        ClientImportSourceCommand.Set(client, isOn: false);
        client.Store.RefreshTime();
        client.Store.Accesses.Touches = true;
        client.Login.End(mayBeDefault: true);
        client.Modes.Reply = ReplyMode.On;
        client.ProtocolVersion = context.Server.Configuration.Current.ClientDefaultResp;
        context.Reply.ProtocolVersion = client.ProtocolVersion;
        context.Reply.Suppressed = false;
        context.Reply.WriteSimpleString("RESET"u8);
    }
}
