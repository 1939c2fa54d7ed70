// A limit's count in the server of this process, without a script. Thread-safe.
using Garnet.Caching.Links;
using Garnet.Client;

namespace Garnet.Caching.Limits;

/// <summary>
/// Reads the string that the limit's script keeps under the same key, and sets the next one if the string is still the same, so that
/// requests of this process and scripts of others count together. The string that was set last need not be read: if it is still there,
/// setting the next one is the only command. Nothing is allocated.
/// </summary>
/// <param name="garnet">The server.</param>
/// <param name="key">The limit's key.</param>
internal abstract class InProcessCount(IGarnet garnet, byte[] key)
{
    private const int MaxBytes = 64;

    private readonly Lock _gate = new();
    private readonly byte[] _last = new byte[MaxBytes];

    // 0 when it is not known.
    private int _lastLength;

    /// <summary>Takes permits; 0 asks whether there is one.</summary>
    /// <exception cref="RespConnectionException">The server has not started or has stopped.</exception>
    /// <exception cref="GarnetCommandException">There is something else under the key, or the server refuses writes.</exception>
    public LimitAnswer Take(int permits)
    {
        try
        {
            return TakeUntilSet(permits);
        }
        catch (Exception e) when (InProcessLink.IsStopped(e, CancellationToken.None))
        {
            throw new RespConnectionException(e.Message, e);
        }
    }

    /// <summary>What a request makes of a count.</summary>
    /// <param name="count">The string under the key; empty when there is none.</param>
    /// <param name="permits">The permits that are asked for.</param>
    /// <param name="next">Gets the next count.</param>
    /// <param name="length">Bytes of the next count; 0 when it does not change.</param>
    /// <param name="expiry">When the next count expires.</param>
    protected abstract LimitAnswer Decide(ReadOnlySpan<byte> count, int permits, Span<byte> next, out int length, out SetOptions expiry);

    /// <summary>Milliseconds that are left of the count; negative when that is not known.</summary>
    protected long LeftMs =>
        garnet.GetTimeToLive(key) is { } left && left != Timeout.InfiniteTimeSpan ? (long)Math.Ceiling(left.TotalMilliseconds) : -1;

    // Not waited for: whoever has the lock may wait for memory, or for the log.
    private LimitAnswer TakeUntilSet(int permits)
    {
        if (!_gate.TryEnter())
        {
            int unknown = 0;
            return TakeUntilSet(permits, stackalloc byte[MaxBytes], ref unknown);
        }

        try
        {
            return TakeUntilSet(permits, _last, ref _lastLength);
        }
        finally
        {
            _gate.Exit();
        }
    }

    private LimitAnswer TakeUntilSet(int permits, Span<byte> count, ref int known)
    {
        Span<byte> next = stackalloc byte[MaxBytes];
        while (true)
        {
            bool isRead = known == 0;
            int length = isRead ? Read(count) : known;
            known = 0;
            ReadOnlySpan<byte> current = count[..Math.Max(0, length)];
            LimitAnswer answer = Decide(current, permits, next, out int nextLength, out SetOptions expiry);
            if (nextLength == 0)
            {
                // What is not set may have been decided by a count that is not the current one any more.
                if (isRead)
                    return answer;
                continue;
            }

            if (!TrySet(current, next[..nextLength], isNew: length < 0, expiry))
                continue;
            next[..nextLength].CopyTo(count);
            known = nextLength;
            return answer;
        }
    }

    private int Read(Span<byte> count)
    {
        int length = garnet.Get(key, count);
        return length <= MaxBytes ? length : throw new GarnetCommandException("ERR the key of a limit holds something else");
    }

    // Others may have set it meanwhile, or its time may be over.
    private bool TrySet(ReadOnlySpan<byte> current, ReadOnlySpan<byte> next, bool isNew, in SetOptions expiry) =>
        isNew
            ? garnet.Set(key, next, expiry with { KeepsExpiry = false, Condition = SetCondition.IfMissing })
            : garnet.SetIfEqual(key, current, next, expiry);
}
