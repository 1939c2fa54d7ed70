// Parses numbers like the C library's atoi and strtod. Stateless.
using System.Buffers.Text;

namespace Garnet.Engine.Arguments;

/// <summary>Parses the number that an argument begins with; what follows is ignored, and without a number the result is zero.</summary>
internal static class LeadingNumber
{
    /// <summary>Parses an argument.</summary>
    public static double Parse(ReadOnlySpan<byte> text) =>
        Utf8Parser.TryParse(text.TrimStart((byte)' '), out double value, out _) && double.IsFinite(value) ? value : 0;
}
