// How many columns text takes on a terminal. Pure functions.
using System.Globalization;
using System.Text;

namespace Garnet.Cli.Interactive;

/// <summary>
/// Widths of grapheme clusters, of which the first character decides: 2 for East Asian wide characters and emoji (Unicode's annex 11), 0
/// for marks without a base; control characters are shown as ^X.
/// </summary>
internal static class DisplayWidth
{
    // First and last of each range.
    private static readonly (int First, int Last)[] Wide =
    [
        (0x1100, 0x115F),
        (0x231A, 0x231B),
        (0x2329, 0x232A),
        (0x23E9, 0x23EC),
        (0x23F0, 0x23F0),
        (0x23F3, 0x23F3),
        (0x25FD, 0x25FE),
        (0x2614, 0x2615),
        (0x2648, 0x2653),
        (0x267F, 0x267F),
        (0x2693, 0x2693),
        (0x26A1, 0x26A1),
        (0x26AA, 0x26AB),
        (0x26BD, 0x26BE),
        (0x26C4, 0x26C5),
        (0x26CE, 0x26CE),
        (0x26D4, 0x26D4),
        (0x26EA, 0x26EA),
        (0x26F2, 0x26F3),
        (0x26F5, 0x26F5),
        (0x26FA, 0x26FA),
        (0x26FD, 0x26FD),
        (0x2705, 0x2705),
        (0x270A, 0x270B),
        (0x2728, 0x2728),
        (0x274C, 0x274C),
        (0x274E, 0x274E),
        (0x2753, 0x2755),
        (0x2757, 0x2757),
        (0x2795, 0x2797),
        (0x27B0, 0x27B0),
        (0x27BF, 0x27BF),
        (0x2B1B, 0x2B1C),
        (0x2B50, 0x2B50),
        (0x2B55, 0x2B55),
        (0x2E80, 0x303E),
        (0x3041, 0x33FF),
        (0x3400, 0x4DBF),
        (0x4E00, 0x9FFF),
        (0xA000, 0xA4CF),
        (0xA960, 0xA97C),
        (0xAC00, 0xD7A3),
        (0xF900, 0xFAFF),
        (0xFE10, 0xFE19),
        (0xFE30, 0xFE6F),
        (0xFF01, 0xFF60),
        (0xFFE0, 0xFFE6),
        (0x16FE0, 0x18CFF),
        (0x1AFF0, 0x1B2FF),
        (0x1F004, 0x1F004),
        (0x1F0CF, 0x1F0CF),
        (0x1F18E, 0x1F18E),
        (0x1F191, 0x1F19A),
        (0x1F1E6, 0x1F1FF),
        (0x1F200, 0x1F320),
        (0x1F32D, 0x1F335),
        (0x1F337, 0x1F37C),
        (0x1F37E, 0x1F393),
        (0x1F3A0, 0x1F3CA),
        (0x1F3CF, 0x1F3D3),
        (0x1F3E0, 0x1F3F0),
        (0x1F3F4, 0x1F3F4),
        (0x1F3F8, 0x1F43E),
        (0x1F440, 0x1F440),
        (0x1F442, 0x1F4FC),
        (0x1F4FF, 0x1F53D),
        (0x1F54B, 0x1F567),
        (0x1F57A, 0x1F57A),
        (0x1F595, 0x1F596),
        (0x1F5A4, 0x1F5A4),
        (0x1F5FB, 0x1F64F),
        (0x1F680, 0x1F6C5),
        (0x1F6CC, 0x1F6CC),
        (0x1F6D0, 0x1F6D7),
        (0x1F6DC, 0x1F6DF),
        (0x1F6EB, 0x1F6FC),
        (0x1F7E0, 0x1F7EB),
        (0x1F7F0, 0x1F7F0),
        (0x1F90C, 0x1F9FF),
        (0x1FA70, 0x1FAFF),
        (0x20000, 0x3FFFD),
    ];

    /// <summary>The columns of a grapheme cluster.</summary>
    public static int Of(ReadOnlySpan<char> cluster)
    {
        Rune.DecodeFromUtf16(cluster, out Rune rune, out int length);
        if (Rune.IsControl(rune))
            return 2;
        if (IsMark(rune))
            return 0;
        // The variation selector 16 asks for the coloured form, which is wide.
        bool isEmoji = cluster.Length > length && cluster[length..].Contains('\uFE0F');
        return isEmoji || IsWide(rune.Value) ? 2 : 1;
    }

    /// <summary>A grapheme cluster as it is shown: control characters are visible.</summary>
    public static string Shown(ReadOnlySpan<char> cluster) =>
        cluster[0] < 0x20 ? $"^{(char)(cluster[0] + '@')}"
        : cluster[0] == 0x7F ? "^?"
        : cluster[0] is >= '\u0080' and < '\u00A0' ? "^?"
        : cluster.ToString();

    private static bool IsMark(Rune rune) =>
        Rune.GetUnicodeCategory(rune) is UnicodeCategory.NonSpacingMark or UnicodeCategory.EnclosingMark or UnicodeCategory.Format;

    private static bool IsWide(int value)
    {
        int low = 0;
        int high = Wide.Length - 1;
        while (low <= high)
        {
            int middle = (low + high) / 2;
            if (value < Wide[middle].First)
                high = middle - 1;
            else if (value > Wide[middle].Last)
                low = middle + 1;
            else
                return true;
        }

        return false;
    }
}
