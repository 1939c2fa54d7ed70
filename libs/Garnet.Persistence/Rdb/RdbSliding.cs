// A key's sliding expiry in a file. Stateless.
using System.Buffers.Text;
using Garnet.Store.Records;

namespace Garnet.Persistence.Rdb;

/// <summary>
/// A property before a key: the sliding time in milliseconds and, after a space, the limit in Unix milliseconds if there is one.
/// </summary>
internal static class RdbSliding
{
    public const int MaxBytes = 40;

    public static ReadOnlySpan<byte> Name => "garnet-sliding"u8;

    /// <summary>Whether these bytes begin with the property.</summary>
    public static bool StandsAt(ReadOnlySpan<byte> bytes) => RdbKeyProperty.StandsAt(bytes, Name);

    public static int Format(in SlidingExpiry sliding, Span<byte> text)
    {
        Utf8Formatter.TryFormat(sliding.Milliseconds, text, out int length);
        if (sliding.LimitMs == SlidingExpiry.NoLimit)
            return length;
        text[length++] = (byte)' ';
        Utf8Formatter.TryFormat(sliding.LimitMs, text[length..], out int limit);
        return length + limit;
    }

    /// <summary>False for invalid text; the key then keeps the fixed expiry it was saved with.</summary>
    public static bool TryParse(ReadOnlySpan<byte> text, out SlidingExpiry sliding)
    {
        sliding = default;
        if (!Utf8Parser.TryParse(text, out long milliseconds, out int used) || milliseconds <= 0)
            return false;
        long limitMs = SlidingExpiry.NoLimit;
        if (
            used < text.Length
            && !(
                text[used] == ' '
                && Utf8Parser.TryParse(text[(used + 1)..], out limitMs, out int rest)
                && rest == text.Length - used - 1
                && limitMs >= 0
            )
        )
        {
            return false;
        }

        sliding = new SlidingExpiry(milliseconds, limitMs);
        return true;
    }
}
