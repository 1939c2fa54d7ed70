// CLIENT IMPORT-SOURCE ON|OFF
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Configuration;

namespace Garnet.Server.Commands.Connection;

/// <summary>
/// While the server is in import mode, the client that copies data into it sees keys that have expired, since its source decides about
/// them.
/// </summary>
internal sealed class ClientImportSourceCommand(ServerConfiguration configuration)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "IMPORT-SOURCE",
        Arity = 3,
        Flags = CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Connection,
        Since = "8.1.0",
        MakeHandler = static parts => new ClientImportSourceCommand(parts.Get<ServerConfiguration>()).Execute,
    };

    private void Execute(ref CommandContext context)
    {
        bool isOn = context.Is(2, "ON"u8);
        if (!configuration.Current.ImportMode && !context.Is(2, "OFF"u8))
        {
            context.Reply.WriteError("ERR Server is not in import mode"u8);
            return;
        }

        if (!isOn && !context.Is(2, "OFF"u8))
        {
            context.Reply.WriteError(ErrorText.Syntax);
            return;
        }

        Set(context.Client, isOn);
        context.Store.RefreshTime();
        context.Reply.WriteOk();
    }

    /// <summary>Turns it on or off, on the client's thread; within a batch the store's time is refreshed afterwards.</summary>
    public static void Set(ClientSession client, bool isOn)
    {
        if (client.Modes.IsImportSource == isOn)
            return;
        client.Modes.IsImportSource = isOn;
        client.Store.Expiry.IsSuspended = isOn;
    }
}
