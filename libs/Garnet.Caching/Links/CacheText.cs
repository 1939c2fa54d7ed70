// Arguments of commands as bytes. Stateless; any thread.
using System.Globalization;
using System.Text;

namespace Garnet.Caching.Links;

/// <summary>Encodes numbers, and keys with their prefixes.</summary>
internal static class CacheText
{
    /// <summary>The decimal digits of a number.</summary>
    public static byte[] Number(long number) => Encoding.ASCII.GetBytes(number.ToString(CultureInfo.InvariantCulture));

    /// <summary>Milliseconds, rounded up, so that a time that is not zero does not become so.</summary>
    public static long Milliseconds(TimeSpan span) => (long)Math.Ceiling(span.TotalMilliseconds);

    /// <summary>A prefix followed by the UTF-8 of a text.</summary>
    public static byte[] Key(ReadOnlySpan<byte> prefix, string text)
    {
        byte[] bytes = new byte[prefix.Length + Encoding.UTF8.GetByteCount(text)];
        prefix.CopyTo(bytes);
        Encoding.UTF8.GetBytes(text, bytes.AsSpan(prefix.Length));
        return bytes;
    }
}
