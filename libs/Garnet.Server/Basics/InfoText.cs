// The text of an INFO reply under construction. Used by one command.
using System.Globalization;
using System.Text;

namespace Garnet.Server.Basics;

/// <summary>Lines <c>field:value</c> under headings <c># Section</c>.</summary>
internal sealed class InfoText
{
    private readonly StringBuilder _text = new();

    /// <summary>Begins a section; every section but the first is preceded by an empty line.</summary>
    public void Section(string title)
    {
        if (_text.Length > 0)
            _text.Append("\r\n");
        _text.Append("# ").Append(title).Append("\r\n");
    }

    /// <summary>Adds a field.</summary>
    public void Field(string name, string value) => _text.Append(name).Append(':').Append(value).Append("\r\n");

    /// <inheritdoc cref="Field(string, string)"/>
    public void Field(string name, long value) => _text.Append(CultureInfo.InvariantCulture, $"{name}:{value}\r\n");

    /// <summary>Adds a field with two decimals.</summary>
    public void Field(string name, double value) => _text.Append(CultureInfo.InvariantCulture, $"{name}:{value:F2}\r\n");

    /// <summary>Adds a number of bytes, and its human-readable form as <c>name_human</c>.</summary>
    public void Bytes(string name, long bytes)
    {
        Field(name, bytes);
        Field(name + "_human", Human(bytes));
    }

    /// <summary>Bytes with two decimals and a unit of 1024: 1.50M.</summary>
    public static string Human(long bytes)
    {
        if (bytes < 1024)
            return string.Create(CultureInfo.InvariantCulture, $"{bytes}B");
        double scaled = bytes;
        int unit = -1;
        for (; scaled >= 1024 && unit < 4; unit++)
            scaled /= 1024;
        return string.Create(CultureInfo.InvariantCulture, $"{scaled:F2}{"KMGTP"[unit]}");
    }

    /// <inheritdoc/>
    public override string ToString() => _text.ToString();
}
