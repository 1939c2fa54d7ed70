// A token bucket in the server of this process. Thread-safe.
using System.Buffers.Text;
using Garnet.Client;

namespace Garnet.Caching.Limits;

/// <summary>
/// As <see cref="LimitScripts.TokenBucket"/>: millionths of tokens, and the time of their count in microseconds since 1970. The server of
/// this process has the clock of its services.
/// </summary>
internal sealed class InProcessBucket(IGarnet garnet, byte[] key, int limit, double tokensPerMs, TimeProvider time)
    : InProcessCount(garnet, key)
{
    private const long Token = 1_000_000;

    // Millionths of tokens in a microsecond.
    private readonly double _rate = tokensPerMs * 1000;
    private readonly long _full = limit * Token;

    /// <inheritdoc/>
    protected override LimitAnswer Decide(ReadOnlySpan<byte> count, int permits, Span<byte> next, out int length, out SetOptions expiry)
    {
        (length, expiry) = (0, default);
        long now = (time.GetUtcNow() - DateTimeOffset.UnixEpoch).Ticks / TimeSpan.TicksPerMicrosecond;
        (long tokens, long countedAt) = count.IsEmpty ? (_full, now) : Read(count);
        tokens = (long)Math.Min(_full, Math.Floor(tokens + (Math.Max(0, now - countedAt) * _rate)));
        long needed = Math.Max(permits, 1) * Token;
        if (tokens < needed)
            return new LimitAnswer(false, tokens / Token, (long)Math.Ceiling((needed - tokens) / _rate / 1000));
        if (permits == 0)
            return new LimitAnswer(true, tokens / Token, 0);
        tokens -= needed;
        Utf8Formatter.TryFormat(tokens, next, out length);
        next[length++] = (byte)' ';
        Utf8Formatter.TryFormat(now, next[length..], out int digits);
        length += digits;
        expiry = new SetOptions { ExpiresAfter = TimeSpan.FromMilliseconds(Math.Ceiling((_full - tokens) / _rate / 1000) + 1000) };
        return new LimitAnswer(true, tokens / Token, 0);
    }

    private static (long Tokens, long CountedAt) Read(ReadOnlySpan<byte> count) =>
        Utf8Parser.TryParse(count, out ulong tokens, out int space)
        && space < count.Length
        && count[space] == ' '
        && Utf8Parser.TryParse(count[(space + 1)..], out ulong countedAt, out int digits)
        && space + 1 + digits == count.Length
        && tokens <= long.MaxValue
        && countedAt <= long.MaxValue
            ? ((long)tokens, (long)countedAt)
            : throw new GarnetCommandException("ERR the key of a limit holds something else");
}
