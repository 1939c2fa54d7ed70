// Sizes in configuration files: digits and a unit. Pure functions, any thread.
using System.Globalization;

namespace Garnet.Server.Configuration;

/// <summary>
/// Parses and formats sizes such as <c>100mb</c>: k, m, g are powers of 1000, kb, mb, gb of 1024; letter case does not matter.
/// </summary>
internal static class MemorySize
{
    private static readonly (string Unit, ulong Bytes)[] Units =
    [
        ("", 1),
        ("b", 1),
        ("k", 1000),
        ("kb", 1UL << 10),
        ("m", 1000_000),
        ("mb", 1UL << 20),
        ("g", 1000_000_000),
        ("gb", 1UL << 30),
    ];

    /// <summary>
    /// Parses a size; false when it is invalid or its number does not fit. As in Valkey, a missing number is 0. A size that overflows
    /// becomes the maximum value.
    /// </summary>
    public static bool TryParse(string text, out ulong bytes)
    {
        bytes = 0;
        int digits = text.AsSpan().IndexOfAnyExceptInRange('0', '9');
        if (digits < 0)
            digits = text.Length;
        ulong number = 0;
        if (digits > 0 && !ulong.TryParse(text.AsSpan(0, digits), NumberStyles.None, CultureInfo.InvariantCulture, out number))
            return false;
        foreach ((string unit, ulong factor) in Units)
        {
            if (!text.AsSpan(digits).Equals(unit, StringComparison.OrdinalIgnoreCase))
                continue;
            bytes = number > ulong.MaxValue / factor ? ulong.MaxValue : number * factor;
            return true;
        }
        return false;
    }

    /// <summary>Formats a size with the largest unit that divides it, as in configuration files.</summary>
    public static string Format(long bytes)
    {
        if (bytes != 0 && bytes % (1L << 30) == 0)
            return string.Create(CultureInfo.InvariantCulture, $"{bytes >> 30}gb");
        if (bytes != 0 && bytes % (1L << 20) == 0)
            return string.Create(CultureInfo.InvariantCulture, $"{bytes >> 20}mb");
        if (bytes != 0 && bytes % (1L << 10) == 0)
            return string.Create(CultureInfo.InvariantCulture, $"{bytes >> 10}kb");
        return bytes.ToString(CultureInfo.InvariantCulture);
    }
}
