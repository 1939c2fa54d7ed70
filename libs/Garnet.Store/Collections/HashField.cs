// One field of a hash as an enumeration shows it. Lives on the stack.
namespace Garnet.Store;

/// <summary>A field with its value; void after the next change.</summary>
public readonly ref struct HashField
{
    private readonly PackedElement _field;
    private readonly PackedElement _value;

    internal HashField(PackedElement field, PackedElement value, long expiresAtMs)
    {
        _field = field;
        _value = value;
        ExpiresAtMs = expiresAtMs;
    }

    /// <summary>The field's name.</summary>
    public ReadOnlySpan<byte> Field => _field.Span;

    /// <summary>Its value.</summary>
    public ReadOnlySpan<byte> Value => _value.Span;

    /// <summary>Unix milliseconds at which the field expires, -1 for never.</summary>
    public long ExpiresAtMs { get; }
}
