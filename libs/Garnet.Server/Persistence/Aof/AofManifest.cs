// The manifest of append-only files in the format of Redis 7 and Valkey. Immutable.
using System.Globalization;
using System.Text;
using Garnet.Server.Configuration;

namespace Garnet.Server.Persistence.Aof;

/// <summary>
/// Lines of <c>file NAME seq NUMBER type b|i|h</c>: at most one base, then incremental files in the order of their numbers; history files
/// were superseded by a rewrite. Names may be quoted, further pairs of words are skipped, and lines that begin with # are comments.
/// </summary>
internal sealed class AofManifest
{
    private const int MinWords = 6;

    /// <summary>Names of the files to load, in order: the base first, if there is one.</summary>
    public required IReadOnlyList<string> Files { get; init; }

    /// <summary>Names of all files, including history.</summary>
    public required IReadOnlyList<string> AllFiles { get; init; }

    /// <summary>Whether the first file is a base.</summary>
    public required bool HasBase { get; init; }

    /// <summary>Parses a manifest.</summary>
    /// <exception cref="AppendOnlyLogException">It is damaged.</exception>
    public static AofManifest Parse(string path, byte[] bytes)
    {
        string? baseFile = null;
        List<string> appended = [];
        List<string> all = [];
        long lastNumber = 0;
        int position = 0;
        if (bytes.Length == 0)
            throw Wrong(path, 0, "the manifest is empty");
        foreach (string line in Encoding.UTF8.GetString(bytes).Split('\n'))
        {
            int start = position;
            position += Encoding.UTF8.GetByteCount(line) + 1;
            if (line.StartsWith('#') || (line.Length == 0 && position > bytes.Length))
                continue;
            if (position > bytes.Length || TryRead(line) is not var (name, number, type))
                throw Wrong(path, start, "the line is not a valid manifest line");
            if (name != Path.GetFileName(name) || name is "" or "." or "..")
                throw Wrong(path, start, "a file is named by a path, not by its name alone");
            all.Add(name);
            switch (type)
            {
                case 'b' when baseFile is null:
                    baseFile = name;
                    break;
                case 'i' when number > lastNumber:
                    appended.Add(name);
                    lastNumber = number;
                    break;
                case 'h':
                    break;
                default:
                    throw Wrong(
                        path,
                        start,
                        type == 'b' ? "there is more than one base"
                            : type == 'i' ? "the numbers of the files are not ascending"
                            : "the type of the file is unknown"
                    );
            }
        }

        return new AofManifest
        {
            Files = baseFile is null ? appended : [baseFile, .. appended],
            AllFiles = all,
            HasBase = baseFile is not null,
        };
    }

    private static (string Name, long Number, char Type)? TryRead(string line)
    {
        if (ConfigurationLine.Split(line) is not { } words || words.Count < MinWords || words.Count % 2 != 0)
            return null;
        (string? name, long number, char type) = (null, 0, '\0');
        for (int i = 0; i < words.Count; i += 2)
        {
            switch (words[i].ToLowerInvariant())
            {
                case "file":
                    name = words[i + 1];
                    break;
                case "seq" when long.TryParse(words[i + 1], NumberStyles.None, CultureInfo.InvariantCulture, out long parsed):
                    number = parsed;
                    break;
                case "type" when words[i + 1].Length > 0:
                    type = words[i + 1][0];
                    break;
            }
        }

        return name is null || number == 0 || type == '\0' ? null : (name, number, type);
    }

    private static AppendOnlyLogException Wrong(string path, long position, string problem) =>
        new(
            path,
            position,
            problem,
            "Restore the manifest from a copy, or repair it with the tool of the server that wrote it (valkey-check-aof, redis-check-aof)"
        );
}
