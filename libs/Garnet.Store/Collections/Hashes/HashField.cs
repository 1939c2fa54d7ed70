// One field of a hash as an enumeration shows it. Lives on the stack.
namespace Garnet.Store.Collections.Hashes;

/// <summary>A field with its value; void after the next change.</summary>
public readonly ref struct HashField
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

    /// <summary>Unix milliseconds at which the field expires, -1 for never.</summary>
    public long ExpiresAtMs { get; }

    /// <summary>The name as it is kept.</summary>
    internal PackedElement FieldElement { get; }

    /// <summary>The value as it is kept.</summary>
    internal PackedElement ValueElement { get; }
}
