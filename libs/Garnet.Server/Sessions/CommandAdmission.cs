// Conditions that a command waits for before it runs or is queued. One per session, of a connection or in the process; used by its thread
// inside a batch.
using System.Runtime.CompilerServices;
using Garnet.Server.CommandModel;
using Garnet.Store;

namespace Garnet.Server.Sessions;

/// <summary>
/// The waits of a resolved command in their order: CLIENT PAUSE, then space for old images in a snapshot, for values in memory and for
/// effects in the append-only log, and last a copy of a large value that other threads still read. All of that must be available before the
/// first latch is taken, because nothing may wait while holding one. After each wait the command is checked again. Rejections, and queueing
/// by MULTI, are decided afterwards by <see cref="CommandDispatcher"/>.
/// </summary>
internal struct CommandAdmission
{
    /// <summary>Maximum number of maintenance rounds that a command waits for memory: about a second.</summary>
    private const int MaxMemoryWaits = 1000;

    private bool _hasCopiedBlock;
    private int _memoryWaits;

    /// <summary>True when the last wait was for CLIENT PAUSE, which counts as blocked in Valkey too.</summary>
    public bool IsPaused { get; private set; }

    /// <summary>The next wait of the command in the context; null when there is none, and it can run.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Task? NextWait(ref CommandContext context)
    {
        RespServer server = context.Server;
        bool mayWait =
            server.Pause.MayBeActive
            || server.Store.IsSnapshotActive
            || server.Store.IsOverLimit
            || server.AppendOnly.Log is { HasRoom: false }
            || context.Command.Descriptor.ChangesPart;
        return mayWait ? Find(ref context, server) : null;
    }

    private Task? Find(ref CommandContext context, RespServer server)
    {
        ClientSession client = context.Client;
        CommandFlags flags = client.FlagsOf(context.Command);

        // As in Valkey, commands to be queued by MULTI are delayed too.
        Task? pause = server.Pause.MayBeActive
            ? server.Pause.WaitFor(flags, server.Time.GetUtcNow().ToUnixTimeMilliseconds(), server.Time, client.PeerGone)
            : null;
        IsPaused = pause is not null;
        if (IsPaused)
            return pause;

        // Queueing writes nothing yet.
        if (client.Transaction is not null && !context.Command.IsTransactionControl)
            return null;
        bool writes = (flags & (CommandFlags.Write | CommandFlags.MayReplicate)) != 0;
        if (writes && server.Store.IsSnapshotActive && client.Store.MustWaitForSnapshot(0))
            return client.Store.WaitForSnapshotAsync();
        if (server.Store.IsOverLimit && MustWaitForMemory(ref context, flags))
            return client.Store.WaitForMemoryAsync();
        if (writes && server.AppendOnly.Log is { HasRoom: false } log)
            return log.RoomAsync();
        return context.Command.Descriptor.ChangesPart ? CopyBlock(ref context) : null;
    }

    // Pages have to be freed before more are allocated. If that takes too long, something else is the obstacle, and the command proceeds:
    // it evicts keys, or is rejected.
    private bool MustWaitForMemory(ref CommandContext context, CommandFlags flags)
    {
        if (
            (flags & CommandFlags.DenyOom) == 0
            || _memoryWaits >= MaxMemoryWaits
            || !context.Store.MustWaitForMemory(context.ArgumentBytes)
        )
        {
            _memoryWaits = 0;
            return false;
        }

        _memoryWaits++;
        return true;
    }

    // Many megabytes are copied on another thread, once per command; if the block is shared again by then, the command copies it itself.
    // EXEC is not checked: it changes the keys of its commands.
    private Task? CopyBlock(ref CommandContext context)
    {
        bool isCopied = _hasCopiedBlock;
        _hasCopiedBlock = false;
        if (isCopied || !context.Store.MustCopyBlock(context[1], context.Hash(1)))
            return null;
        _hasCopiedBlock = true;
        return CopyBlock(context.Server.Store, context.Store.Database, context[1].ToArray());
    }

    private static Task CopyBlock(HybridLogStore store, int database, byte[] key) => Task.Run(() => store.CopySharedBlock(database, key));
}
