// BGREWRITEAOF
using Garnet.Server.CommandModel;

namespace Garnet.Server.Commands.Server;

/// <summary>Starts a rewrite of the append-only log and replies without waiting for it.</summary>
internal static class BgRewriteAofCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "BGREWRITEAOF",
        Arity = 1,
        Flags = CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.NoAsyncLoading,
        Group = CommandGroup.Server,
        Since = "1.0.0",
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (!context.Server.Persistence.AppendOnly.TryBeginRewrite(context.Client.Transactions.IsExecuting, out bool isDelayed))
            context.Reply.WriteError("ERR Background append only file rewriting already in progress"u8);
        else if (isDelayed)
            context.Reply.WriteSimpleString("Background append only file rewriting scheduled"u8);
        else
            context.Reply.WriteSimpleString("Background append only file rewriting started"u8);
    }
}
