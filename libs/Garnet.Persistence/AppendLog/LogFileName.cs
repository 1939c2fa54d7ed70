// Names of the log's files. Immutable; any thread.
using System.Globalization;
using Garnet.Persistence.Snapshots;

namespace Garnet.Persistence.AppendLog;

/// <summary>
/// <c>appendonly.aof.000003.base.rdb</c> is the data set at the start of generation 3; <c>appendonly.aof.000003.log.000000</c> and
/// following are the log from there on.
/// </summary>
internal readonly record struct LogFileName(int Generation, int Segment)
{
    private const int BaseSegment = -1;
    private const string BaseEnding = "base.rdb";
    private const string LogWord = "log";

    /// <summary>True for a snapshot, false for a segment of the log.</summary>
    public bool IsBase => Segment == BaseSegment;

    /// <summary>The name of a generation's snapshot.</summary>
    public static LogFileName BaseOf(int generation) => new(generation, BaseSegment);

    /// <summary>The file's name under a prefix (appendfilename).</summary>
    public string Text(string prefix) =>
        IsBase
            ? string.Create(CultureInfo.InvariantCulture, $"{prefix}.{Generation:D6}.{BaseEnding}")
            : string.Create(CultureInfo.InvariantCulture, $"{prefix}.{Generation:D6}.{LogWord}.{Segment:D6}");

    /// <summary>Parses a name; false for files that are not the log's.</summary>
    public static bool TryParse(string prefix, string text, out LogFileName name)
    {
        name = default;
        if (!text.StartsWith(prefix + ".", StringComparison.Ordinal))
            return false;
        string[] parts = text[(prefix.Length + 1)..].Split('.');
        if (parts.Length != 3 || !TryNumber(parts[0], out int generation))
            return false;
        if (parts[1] + "." + parts[2] == BaseEnding)
            name = BaseOf(generation);
        else if (parts[1] == LogWord && TryNumber(parts[2], out int segment))
            name = new LogFileName(generation, segment);
        else
            return false;
        return name.Text(prefix) == text;
    }

    /// <summary>
    /// Whether a file is a snapshot of the log that was still being written, or a file of the log that was being deleted.
    /// </summary>
    public static bool IsTemporary(string prefix, string text) =>
        TemporaryFile.TryParse(text, out string final)
        && TryParse(prefix, final, out LogFileName name)
        && (name.IsBase || !TemporaryFile.IsUnnumbered(text, final));

    private static bool TryNumber(string digits, out int number) =>
        int.TryParse(digits, NumberStyles.None, CultureInfo.InvariantCulture, out number);
}
