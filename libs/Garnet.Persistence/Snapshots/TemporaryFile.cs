// Names of files that are still being written, or already being deleted. Any thread.
using System.Globalization;

namespace Garnet.Persistence.Snapshots;

/// <summary>
/// A file is written as <c>name.process-number.tmp</c> and renamed when it is complete. So no two writers share a name, and what a killed
/// process left behind can be distinguished from everything else in the folder.
/// </summary>
internal static class TemporaryFile
{
    private const string Ending = ".tmp";
    private static int s_number;

    /// <summary>A path that is unique within this process.</summary>
    public static string NameFor(string path) =>
        string.Create(CultureInfo.InvariantCulture, $"{path}.{Environment.ProcessId}-{Interlocked.Increment(ref s_number)}{Ending}");

    /// <summary>Parses a name, also the plain <c>name.tmp</c> of earlier versions of this server; false for any other file.</summary>
    /// <param name="name">The name.</param>
    /// <param name="final">The name that the file was to receive.</param>
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

    /// <summary>Whether a temporary name is the plain one of earlier versions, which also a person may have chosen.</summary>
    public static bool IsUnnumbered(string name, string final) => name.Length == final.Length + Ending.Length;

    /// <summary>Deletes what earlier writers of a file left behind. Only for the holder of the lock on writing it.</summary>
    /// <returns>How many were deleted.</returns>
    /// <exception cref="IOException">One cannot be deleted.</exception>
    public static int DeleteLeftovers(string path)
    {
        string folder = Path.GetDirectoryName(Path.GetFullPath(path))!;
        int count = 0;
        foreach (string file in Directory.EnumerateFiles(folder, Path.GetFileName(path) + ".*" + Ending).Append(path + Ending))
        {
            // A link is deleted, not followed.
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
