// Writes the fields of a section of INFO. Used during one call.
using Garnet.Server.Basics;

namespace Garnet.Modules;

/// <summary>Receives the fields of a module's section of INFO.</summary>
public readonly ref struct InfoWriter
{
    private readonly InfoText _text;

    internal InfoWriter(InfoText text) => _text = text;

    /// <summary>Adds a field.</summary>
    /// <param name="name">Letters, digits and underscores.</param>
    /// <param name="value">The value.</param>
    public void Add(string name, long value) => _text.Field(name, value);

    /// <inheritdoc cref="Add(string, long)"/>
    public void Add(string name, double value) => _text.Field(name, value);

    /// <summary>Adds a field with a text; line breaks in it become spaces.</summary>
    public void Add(string name, string value)
    {
        ArgumentNullException.ThrowIfNull(value);
        _text.Field(name, value.ReplaceLineEndings(" "));
    }
}
