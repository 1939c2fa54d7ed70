// The known content of a log's folder. Immutable.
using System.Globalization;
using System.Text;

namespace Garnet.Persistence.AppendLog;

/// <summary>
/// A small text file beside the log, so that a missing, empty or replaced file can be distinguished from one that never existed. It is a
/// lower bound: it is written after the files it names are durable and before older ones are deleted, so that after a crash a folder may
/// hold more than it says, but never less. The last line is a CRC-32C of the others.
/// </summary>
internal sealed record LogManifest
{
    private const string Title = "garnet-append-log 1";
    private const string NameEnding = ".garnet.manifest";
    private const string TemporarySuffix = ".tmp";
    private const string Remedy = "Restore it from a copy; or, to start with the data of the folder's other files, delete it";

    /// <summary>Identity of the log.</summary>
    public ulong LogId { get; init; }

    /// <summary>The generation whose snapshot the log continues; 0 when it starts with no data.</summary>
    public int Base { get; init; }

    /// <summary>
    /// The generations, in order. Empty while the first one is being created: nothing has been acknowledged then, and any other files of
    /// the log are ignored.
    /// </summary>
    public IReadOnlyList<ManifestGeneration> Generations { get; init; } = [];

    /// <summary>
    /// Identifies the files of another server that this log was imported from; empty when there are none, or when they have been moved
    /// away.
    /// </summary>
    public string ImportedFrom { get; init; } = "";

    /// <summary>The last generation's number; 0 when there is none.</summary>
    public int LastGeneration => Generations.Count == 0 ? 0 : Generations[^1].Number;

    /// <summary>The file's name under a prefix (appendfilename).</summary>
    public static string NameOf(string prefix) => prefix + NameEnding;

    /// <summary>Whether a file is a manifest that was still being written.</summary>
    public static bool IsTemporary(string prefix, string name) => name == NameOf(prefix) + TemporarySuffix;

    /// <summary>Reads the folder's manifest; null when there is none.</summary>
    /// <exception cref="AppendOnlyLogException">It is damaged.</exception>
    public static LogManifest? Load(ILogFolder folder, string prefix)
    {
        string name = NameOf(prefix);
        if (!folder.List().Contains(name))
            return null;
        string path = System.IO.Path.Combine(folder.Path, name);
        byte[] bytes = [];
        int length;
        try
        {
            length = folder.Read(name, ref bytes);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new AppendOnlyLogException(path, 0, e.Message, Remedy);
        }

        return Parse(bytes.AsSpan(0, length))
            ?? throw new AppendOnlyLogException(path, 0, "the manifest is damaged, or was written by a later version", Remedy);
    }

    /// <summary>Makes this the folder's manifest, durably and atomically.</summary>
    /// <exception cref="IOException">The operation failed; the previous manifest is still there.</exception>
    public void Save(ILogFolder folder, string prefix)
    {
        string aside = NameOf(prefix) + TemporarySuffix;
        folder.Write(aside, Format());
        folder.Rename(aside, NameOf(prefix));
    }

    public byte[] Format()
    {
        StringBuilder text = new();
        text.Append(Title).Append('\n');
        text.Append(CultureInfo.InvariantCulture, $"log {LogId:x16}\n");
        text.Append(CultureInfo.InvariantCulture, $"base {Base}\n");
        foreach (ManifestGeneration each in Generations)
            text.Append(CultureInfo.InvariantCulture, $"generation {each.Number} {each.Start} {each.Floor}\n");
        if (ImportedFrom.Length > 0)
            text.Append("taken-over ").Append(ImportedFrom).Append('\n');
        uint checksum = Crc32C.Compute(Encoding.UTF8.GetBytes(text.ToString()));
        text.Append(CultureInfo.InvariantCulture, $"crc32c {checksum:x8}\n");
        return Encoding.UTF8.GetBytes(text.ToString());
    }

    /// <summary>Parses a file's bytes; null when they are not a complete manifest of this version.</summary>
    public static LogManifest? Parse(ReadOnlySpan<byte> bytes)
    {
        int end = bytes.LastIndexOf("crc32c "u8);
        if (
            end < 0
            || !bytes[end..]
                .SequenceEqual(
                    Encoding.UTF8.GetBytes(string.Create(CultureInfo.InvariantCulture, $"crc32c {Crc32C.Compute(bytes[..end]):x8}\n"))
                )
        )
        {
            return null;
        }

        string[] lines = Encoding.UTF8.GetString(bytes[..end]).Split('\n');
        if (lines is not [Title, ..])
            return null;
        LogManifest manifest = new();
        List<ManifestGeneration> generations = [];
        foreach (string line in lines[1..^1])
        {
            string[] words = line.Split(' ', 2);
            if (words.Length != 2 || !TryTake(words[0], words[1], generations, ref manifest))
                return null;
        }

        return manifest with
        {
            Generations = generations,
        };
    }

    // A line added by a later version may matter, so an unknown line makes the manifest invalid.
    private static bool TryTake(string name, string value, List<ManifestGeneration> generations, ref LogManifest manifest)
    {
        switch (name)
        {
            case "log" when ulong.TryParse(value, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out ulong id):
                manifest = manifest with { LogId = id };
                return true;
            case "base" when int.TryParse(value, NumberStyles.None, CultureInfo.InvariantCulture, out int number):
                manifest = manifest with { Base = number };
                return true;
            case "generation" when TryParseGeneration(value) is { } generation:
                generations.Add(generation);
                return true;
            case "taken-over":
                manifest = manifest with { ImportedFrom = value };
                return true;
            default:
                return false;
        }
    }

    private static ManifestGeneration? TryParseGeneration(string value)
    {
        string[] numbers = value.Split(' ');
        return
            numbers.Length == 3
            && int.TryParse(numbers[0], NumberStyles.None, CultureInfo.InvariantCulture, out int number)
            && long.TryParse(numbers[1], NumberStyles.None, CultureInfo.InvariantCulture, out long start)
            && long.TryParse(numbers[2], NumberStyles.None, CultureInfo.InvariantCulture, out long floor)
            ? new ManifestGeneration(number, start, floor)
            : null;
    }
}
