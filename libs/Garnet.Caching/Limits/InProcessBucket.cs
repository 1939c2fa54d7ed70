// A token bucket in the server of this process. Thread-safe.
using System.Buffers;
using System.Buffers.Text;
using Garnet.Client;

namespace Garnet.Caching.Limits;

/// <summary>
/// As <see cref="LimitScripts.TokenBucket"/>: tokens, and the time of their count in milliseconds since 1970. The server of this process has
/// the clock of its services.
/// </summary>
internal sealed class InProcessBucket(IGarnet garnet, byte[] key, int limit, double tokensPerMs, TimeProvider time)
    : InProcessCount(garnet, key)
{
    // Doubles need no more than that to be read as they were.
    private static readonly StandardFormat Exact = new('G', 17);

    /// <inheritdoc/>
    protected override LimitAnswer Decide(ReadOnlySpan<byte> count, int permits, Span<byte> next, out int length, out SetOptions expiry)
    {
        (length, expiry) = (0, default);
        double now = (time.GetUtcNow() - DateTimeOffset.UnixEpoch).TotalMilliseconds;
        (double tokens, double countedAt) = count.IsEmpty ? (limit, now) : Read(count);
        tokens = Math.Min(limit, tokens + (Math.Max(0, now - countedAt) * tokensPerMs));
        int needed = Math.Max(permits, 1);
        if (tokens < needed)
            return new LimitAnswer(false, (long)Math.Floor(tokens), (long)Math.Ceiling((needed - tokens) / tokensPerMs));
        if (permits == 0)
            return new LimitAnswer(true, (long)Math.Floor(tokens), 0);
        tokens -= permits;
        Utf8Formatter.TryFormat(tokens, next, out length, Exact);
        next[length++] = (byte)' ';
        Utf8Formatter.TryFormat(now, next[length..], out int digits, Exact);
        length += digits;
        expiry = new SetOptions { ExpiresAfter = TimeSpan.FromMilliseconds(Math.Ceiling((limit - tokens) / tokensPerMs) + 1000) };
        return new LimitAnswer(true, (long)Math.Floor(tokens), 0);
    }

    private static (double Tokens, double CountedAt) Read(ReadOnlySpan<byte> count)
    {
        int space = count.IndexOf((byte)' ');
        return
            space > 0
            && Utf8Parser.TryParse(count[..space], out double tokens, out _)
            && Utf8Parser.TryParse(count[(space + 1)..], out double countedAt, out _)
            ? (tokens, countedAt)
            : throw new GarnetCommandException("ERR the key of a limit holds something else");
    }
}
