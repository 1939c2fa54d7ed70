// The value of a script's parameter that is a key. Immutable; any thread.
using System.Text;

namespace Garnet;

/// <summary>A key among the parameters of a <see cref="GarnetScript"/>, made from a text or from bytes.</summary>
/// <param name="Bytes">The key.</param>
public readonly record struct GarnetKey(ReadOnlyMemory<byte> Bytes)
{
    /// <summary>The key of a text's UTF-8 bytes.</summary>
    public static GarnetKey FromString(string key)
    {
        ArgumentNullException.ThrowIfNull(key);
        return new GarnetKey(Encoding.UTF8.GetBytes(key));
    }

    /// <inheritdoc cref="FromString"/>
    public static implicit operator GarnetKey(string key) => FromString(key);

    /// <summary>The key, read as UTF-8.</summary>
    public override string ToString() => Encoding.UTF8.GetString(Bytes.Span);
}
