// The keys of a database, gathered and sent in pieces. Belongs to the connection's thread.
using System.Diagnostics;
using Garnet.Protocol;
using Garnet.Server.Sessions;
using Garnet.Store;

namespace Garnet.Server.Commands.Keys;

/// <summary>
/// How many keys there are is known last, so all are set aside first. Other clients of the thread have their turn between the pieces. The first piece takes as long as makes the slow log
/// note the command by default.
/// </summary>
internal sealed class KeysReply(ClientSession client, GlobMatcher matcher, bool isEveryKey) : PendingReply
{
    /// <summary>Buckets of about five keys between two looks at the clock.</summary>
    public const int BucketsAtOnce = 256;

    private const long PieceBytes = 256 * 1024;
    private static readonly TimeSpan FirstPiece = TimeSpan.FromMilliseconds(20);
    private static readonly TimeSpan OtherPieces = TimeSpan.FromMilliseconds(5);

    private readonly AsideReply aside = new();
    private long cursor;
    private long keys;
    private int space;
    private bool isBegun;
    private bool isGathered;
    private bool isComplete;

    /// <inheritdoc/>
    public override bool HasMore => !isComplete;

    /// <inheritdoc/>
    public override Task WaitAsync(CancellationToken connectionClosed) => Task.CompletedTask;

    /// <inheritdoc/>
    public override Task AbandonAsync()
    {
        aside.Clear();
        return Task.CompletedTask;
    }

    /// <inheritdoc/>
    public override void WriteReply(ref RespWriter reply)
    {
        try
        {
            if (!isGathered && !Gather(reply.ProtocolVersion))
                return;
            if (!isGathered)
                reply.WriteArray(checked((int)keys));
            isGathered = true;
            isComplete = aside.TryMoveTo(ref reply, reply.BytesWritten + PieceBytes);
        }
        catch
        {
            aside.Clear();
            throw;
        }
    }

    // True when all keys were visited. A database that was emptied or swapped meanwhile is looked at from its beginning.
    private bool Gather(int protocolVersion)
    {
        long start = Stopwatch.GetTimestamp();
        TimeSpan limit = isBegun ? OtherPieces : FirstPiece;
        StoreSession store = client.Store;
        if (!isBegun || space != store.DatabaseSpace)
        {
            aside.Clear();
            (isBegun, space, cursor, keys) = (true, store.DatabaseSpace, 0, 0);
        }

        KeyReplyVisitor visitor = new(new RespWriter(aside, protocolVersion)) { HasPattern = !isEveryKey, Matcher = matcher };
        do
            cursor = store.Scan(store.Database, cursor, BucketsAtOnce, ref visitor);
        while (cursor != 0 && !client.IsClosing && Stopwatch.GetElapsedTime(start) < limit);
        visitor.Reply.Flush();
        keys += visitor.Written;
        return cursor == 0 || client.IsClosing;
    }
}
