// A limit's count in the server of this process, without a script. Thread-safe.
using Garnet.Caching.Links;
using Garnet.Client;

namespace Garnet.Caching.Limits;

/// <summary>
/// Reads the string that the limit's script keeps under the same key, and sets the next one if the string is still the same, so that
/// requests of this process and scripts of others count together. Nothing is allocated.
/// </summary>
/// <param name="garnet">The server.</param>
/// <param name="key">The limit's key.</param>
internal abstract class InProcessCount(IGarnet garnet, byte[] key)
{
    private const int MaxBytes = 64;

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

    private LimitAnswer TakeUntilSet(int permits)
    {
        Span<byte> count = stackalloc byte[MaxBytes],
            next = stackalloc byte[MaxBytes];
        while (true)
        {
            int read = garnet.Get(key, count);
            if (read > MaxBytes)
                throw new GarnetCommandException("ERR the key of a limit holds something else");
            ReadOnlySpan<byte> current = count[..Math.Max(0, read)];
            LimitAnswer answer = Decide(current, permits, next, out int length, out SetOptions expiry);
            if (length == 0 || TrySet(current, next[..length], isNew: read < 0, expiry))
                return answer;
        }
    }

    // Others may have set it meanwhile, or its time may be over.
    private bool TrySet(ReadOnlySpan<byte> current, ReadOnlySpan<byte> next, bool isNew, in SetOptions expiry) =>
        isNew
            ? garnet.Set(key, next, expiry with { KeepsExpiry = false, Condition = SetCondition.IfMissing })
            : garnet.SetIfEqual(key, current, next, expiry);
}
