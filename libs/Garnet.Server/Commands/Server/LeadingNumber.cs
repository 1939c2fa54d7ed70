// Numbers as the C library's atoi and strtod read them. Stateless.
using System.Buffers.Text;

namespace Garnet.Server.Commands.Server;

/// <summary>Takes the number an argument begins with; what follows is ignored, and no number counts as zero.</summary>
internal static class LeadingNumber
{
    /// <summary>Parses an argument.</summary>
    public static double Parse(ReadOnlySpan<byte> text) =>
        Utf8Parser.TryParse(text.TrimStart((byte)' '), out double value, out _) && double.IsFinite(value) ? value : 0;
}
