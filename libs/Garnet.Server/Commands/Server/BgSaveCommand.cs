// BGSAVE [SCHEDULE | CANCEL]
using System.Text;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Persistence.Snapshots;
using Garnet.Server.Persistence;
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Commands.Server;

/// <summary>Starts a snapshot and replies without waiting for it.</summary>
internal sealed class BgSaveCommand(ServerPersistence persistence, ILogger log)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "BGSAVE",
        Arity = -1,
        Flags = CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.NoAsyncLoading,
        Group = CommandGroup.Server,
        Since = "1.0.0",
        MakeHandler = static parts => new BgSaveCommand(parts.Get<ServerPersistence>(), parts.Get<ILogger>()).Execute,
    };

    private void Execute(ref CommandContext context)
    {
        SnapshotKeeper snapshots = persistence.Snapshots;
        bool isScheduled = context.Count == 2 && context.Is(1, "SCHEDULE"u8);
        if (context.Count == 2 && context.Is(1, "CANCEL"u8))
        {
            Cancel(ref context, snapshots);
        }
        else if (context.Count > 1 && !isScheduled)
        {
            context.Reply.WriteError(ErrorText.Syntax);
        }
        else if (snapshots.Progress is not null)
        {
            context.Reply.WriteError(AlreadySaving);
        }
        else if (context.Client.Transactions.IsExecuting)
        {
            Schedule(ref context, snapshots);
        }
        // A rewrite that has not begun to write yet comes first, too.
        else if (!persistence.AppendOnly.IsRewriting && snapshots.TryBegin(context.Store, isUrgent: false, out Task<SaveOutcome> done))
        {
            WriteStarted(ref context, done);
        }
        else if (snapshots.Progress is not null)
        {
            context.Reply.WriteError(AlreadySaving);
        }
        else if (isScheduled)
        {
            Schedule(ref context, snapshots);
        }
        else
        {
            context.Reply.WriteError(
                "ERR Another child process is active (AOF?): can't BGSAVE right now. Use BGSAVE SCHEDULE in order to schedule a BGSAVE whenever possible."u8
            );
        }
    }

    internal static ReadOnlySpan<byte> AlreadySaving => "ERR Background save already in progress"u8;

    private static void WriteStarted(ref CommandContext context, Task<SaveOutcome> done)
    {
        if (done is { IsCompleted: true, Result: { Result: SaveResult.Failed, Error: { } problem } })
            context.Reply.WriteError(Encoding.UTF8.GetBytes("ERR " + problem.ReplaceLineEndings(" ")));
        else
            context.Reply.WriteSimpleString("Background saving started"u8);
    }

    private static void Schedule(ref CommandContext context, SnapshotKeeper snapshots)
    {
        snapshots.Schedule();
        context.Reply.WriteSimpleString("Background saving scheduled"u8);
    }

    private void Cancel(ref CommandContext context, SnapshotKeeper snapshots)
    {
        if (snapshots.Cancel())
        {
            log.LogInformation("A client cancels the saving under way");
            context.Reply.WriteSimpleString("Background saving cancelled"u8);
        }
        else if (snapshots.Unschedule())
        {
            context.Reply.WriteSimpleString("Scheduled background saving cancelled"u8);
        }
        else
        {
            context.Reply.WriteError("ERR Background saving is currently not in progress or scheduled"u8);
        }
    }
}
