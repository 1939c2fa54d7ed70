// Names of files that are still being written. Any thread.
using System.Globalization;

namespace Garnet.Persistence.Snapshots;

/// <summary>
/// A file is written aside as <c>name.process-number.tmp</c> and gets its name when all of it is there. So no two writers share a name, and
/// what a killed process left behind is told from everything else in the folder.
/// </summary>
public static class TemporaryFile
{
    private const string Ending = ".tmp";
    private static int s_number;

    /// <summary>A path that nobody else in this process is given.</summary>
    public static string NameFor(string path) =>
        string.Create(CultureInfo.InvariantCulture, $"{path}.{Environment.ProcessId}-{Interlocked.Increment(ref s_number)}{Ending}");

    /// <summary>Reads a name, also the plain <c>name.tmp</c> of servers before this one; false for files that are none of these.</summary>
    /// <param name="name">The name.</param>
    /// <param name="final">The name that the file was to get.</param>
    public static bool TryParse(string name, out string final)
    {
        final = "";
        if (!name.EndsWith(Ending, StringComparison.Ordinal))
            return false;
        string rest = name[..^Ending.Length];
        int dot = rest.LastIndexOf('.');
        string[] numbers = rest[(dot + 1)..].Split('-');
        bool isNumbered =
            dot > 0 && numbers.Length == 2 && Array.TrueForAll(numbers, static text => text.Length > 0 && text.All(char.IsAsciiDigit));
        final = isNumbered ? rest[..dot] : rest;
        return final.Length > 0;
    }

    /// <summary>Deletes what earlier writers of a file left behind. Only for the one that holds the right to write it.</summary>
    /// <returns>How many were deleted.</returns>
    /// <exception cref="IOException">One cannot be deleted.</exception>
    public static int DeleteLeftovers(string path)
    {
        string folder = Path.GetDirectoryName(Path.GetFullPath(path))!;
        int count = 0;
        foreach (string file in Directory.EnumerateFiles(folder, Path.GetFileName(path) + ".*" + Ending).Append(path + Ending))
        {
            // A link is removed, not followed.
            if (
                !TryParse(Path.GetFileName(file), out string final)
                || final != Path.GetFileName(path)
                || !(File.Exists(file) || new FileInfo(file).LinkTarget is not null)
            )
            {
                continue;
            }

            File.Delete(file);
            count++;
        }

        return count;
    }
}
