// A field of a hash with its value. Lives on the stack.
namespace Garnet.Modules;

/// <summary>A field and its value, both invalid after the next change of the hash.</summary>
public readonly ref struct HashFieldValue
{
    internal HashFieldValue(ReadOnlySpan<byte> field, ReadOnlySpan<byte> value, long expiresAtMs)
    {
        Field = field;
        Value = value;
        ExpiresAtMs = expiresAtMs;
    }

    /// <summary>The field's name.</summary>
    public ReadOnlySpan<byte> Field { get; }

    /// <summary>Its value.</summary>
    public ReadOnlySpan<byte> Value { get; }

    /// <summary>Unix time in milliseconds at which the field expires; -1 when it does not.</summary>
    public long ExpiresAtMs { get; }
}
