// A fixed window in the server of this process. Thread-safe.
using System.Buffers.Text;
using Garnet.Client;

namespace Garnet.Caching.Limits;

/// <summary>As <see cref="LimitScripts.FixedWindow"/>: the number of permits used, which expires with the window.</summary>
internal sealed class InProcessWindow(IGarnet garnet, byte[] key, int limit, TimeSpan window) : InProcessCount(garnet, key)
{
    /// <inheritdoc/>
    protected override LimitAnswer Decide(ReadOnlySpan<byte> count, int permits, Span<byte> next, out int length, out SetOptions expiry)
    {
        (length, expiry) = (0, default);
        long used = 0;
        if (!count.IsEmpty && (!Utf8Parser.TryParse(count, out used, out int digits) || digits != count.Length))
            throw new GarnetCommandException("ERR value is not an integer or out of range");
        if (used > limit - Math.Max(permits, 1))
            return new LimitAnswer(false, limit - used, LeftMs);
        if (permits == 0)
            return new LimitAnswer(true, limit - used, 0);
        Utf8Formatter.TryFormat(used + permits, next, out length);
        expiry = count.IsEmpty ? new SetOptions { ExpiresAfter = window } : new SetOptions { KeepsExpiry = true };
        return new LimitAnswer(true, limit - used - permits, 0);
    }
}
