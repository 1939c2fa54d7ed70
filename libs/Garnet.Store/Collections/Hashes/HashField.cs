// One field of a hash as returned by an enumeration. Lives on the stack.
namespace Garnet.Store.Collections.Hashes;

/// <summary>A field with its value; invalid after the next change.</summary>
internal readonly ref struct HashField
{
    internal HashField(PackedElement field, PackedElement value, long expiresAtMs)
    {
        FieldElement = field;
        ValueElement = value;
        ExpiresAtMs = expiresAtMs;
    }

    /// <summary>The field's name.</summary>
    public ReadOnlySpan<byte> Field => FieldElement.Span;

    /// <summary>Its value.</summary>
    public ReadOnlySpan<byte> Value => ValueElement.Span;

    /// <summary>Expiry of the field in Unix milliseconds, -1 for none.</summary>
    public long ExpiresAtMs { get; }

    /// <summary>The name as it is stored.</summary>
    internal PackedElement FieldElement { get; }

    /// <summary>The value as it is stored.</summary>
    internal PackedElement ValueElement { get; }
}
