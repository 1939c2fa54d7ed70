// The keys of a database, collected and sent in pieces. Belongs to the connection's thread.
using System.Diagnostics;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Protocol;
using Garnet.Store;

namespace Garnet.Commands.Keys;

/// <summary>
/// The number of keys comes first in the reply but is known last, so all keys are collected first. Other clients of the thread are served
/// between the pieces.
/// </summary>
internal sealed class KeysReply(ClientSession client, GlobMatcher matcher, bool isEveryKey) : PendingReply
{
    /// <summary>Number of buckets, with about five keys each, between two clock reads.</summary>
    public const int BucketsAtOnce = 256;

    private const long PieceBytes = 256 * 1024;
    private static readonly TimeSpan FirstPiece = TimeSpan.FromMilliseconds(20);
    private static readonly TimeSpan OtherPieces = TimeSpan.FromMilliseconds(5);

    private readonly DeferredReply _deferred = new();
    private long _cursor;
    private long _keys;
    private int _space;
    private bool _isBegun;
    private bool _isGathered;
    private bool _isComplete;

    /// <inheritdoc/>
    public override bool HasMore => !_isComplete;

    /// <inheritdoc/>
    public override Task WaitAsync(CancellationToken connectionClosed) => Task.CompletedTask;

    /// <inheritdoc/>
    public override Task AbandonAsync()
    {
        _deferred.Clear();
        return Task.CompletedTask;
    }

    /// <inheritdoc/>
    public override void WriteReply(ref RespWriter reply)
    {
        try
        {
            if (!_isGathered && !Gather(reply.ProtocolVersion))
                return;
            if (!_isGathered)
                reply.WriteArray(checked((int)_keys));
            _isGathered = true;
            _isComplete = _deferred.TryMoveTo(ref reply, reply.BytesWritten + PieceBytes);
        }
        catch
        {
            _deferred.Clear();
            throw;
        }
    }

    // True when all keys have been visited. If the database was flushed or swapped meanwhile, the iteration starts over.
    private bool Gather(int protocolVersion)
    {
        long start = Stopwatch.GetTimestamp();
        TimeSpan limit = _isBegun ? OtherPieces : FirstPiece;
        StoreSession store = client.Store;
        if (!_isBegun || _space != SpaceOf(store))
        {
            _deferred.Clear();
            (_isBegun, _space, _cursor, _keys) = (true, SpaceOf(store), 0, 0);
        }

        KeyReplyVisitor visitor = new(new RespWriter(_deferred, protocolVersion)) { HasPattern = !isEveryKey, Matcher = matcher };
        do _cursor = store.Reads.Scan(store.Database, _cursor, BucketsAtOnce, ref visitor);
        while (_cursor != 0 && !client.End.IsForced && Stopwatch.GetElapsedTime(start) < limit);
        visitor.Reply.Flush();
        _keys += visitor.Written;
        return _cursor == 0 || client.End.IsForced;
    }

    // Identifies the database's current contents: changes when it is emptied or swapped.
    private static int SpaceOf(StoreSession store) => store.Store.Databases.Map.PhysicalOf(store.Database);
}
