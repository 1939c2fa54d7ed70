// CLIENT IMPORT-SOURCE ON|OFF
using Garnet.Server.CommandModel;

namespace Garnet.Server.Commands.Connection;

/// <summary>Rejects ON, which is valid only in import mode; this server has no such mode.</summary>
internal static class ClientImportSourceCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "IMPORT-SOURCE",
        Arity = 3,
        Flags = CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Connection,
        Since = "8.1.0",
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (context.Is(2, "OFF"u8))
            context.Reply.WriteOk();
        else
            context.Reply.WriteError("ERR Server is not in import mode"u8);
    }
}
