// BGREWRITEAOF
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Persistence;

namespace Garnet.Server.Commands.Server;

/// <summary>Starts a rewrite of the append-only log and replies without waiting for it.</summary>
internal sealed class BgRewriteAofCommand(ServerPersistence persistence)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "BGREWRITEAOF",
        Arity = 1,
        Flags = CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.NoAsyncLoading,
        Group = CommandGroup.Server,
        Since = "1.0.0",
        MakeHandler = static parts => new BgRewriteAofCommand(parts.Get<ServerPersistence>()).Execute,
    };

    private void Execute(ref CommandContext context)
    {
        if (!persistence.AppendOnly.TryBeginRewrite(context.Client.Transactions.IsExecuting, out bool isDelayed))
            context.Reply.WriteError("ERR Background append only file rewriting already in progress"u8);
        else if (isDelayed)
            context.Reply.WriteSimpleString("Background append only file rewriting scheduled"u8);
        else
            context.Reply.WriteSimpleString("Background append only file rewriting started"u8);
    }
}
