// Gives back pages of the program and the runtime that were only read from their files. Linux; any thread, seldom.
using System.Globalization;
using System.Runtime.InteropServices;

namespace Garnet.Store.Memory;

/// <summary>
/// Starting reads and runs far more of the program's files than serving does: some 40 MB, of which most is never touched again. The system
/// keeps them in its file cache anyway and would take them from the process when memory runs short; here they go as soon as they take room
/// from the data. What is still needed comes back by itself, sixteen pages at a time, without the disk.
/// </summary>
public static unsafe class ProgramPages
{
    private const int AdviseDontNeed = 4;
    private const string Mappings = "/proc/self/smaps";

    /// <summary>
    /// Unmaps what is only a copy of a file: mappings of code, and shared ones that cannot be written, of which no page was ever changed.
    /// Takes about a millisecond for each 100 MB that the process has mapped.
    /// </summary>
    public static void GiveBack()
    {
        if (!HostSystem.IsLinux || !File.Exists(Mappings))
        {
            return;
        }

        Mapping? mapping = null;
        foreach (string line in File.ReadLines(Mappings))
        {
            // 7f12a000-7f12c000 r-xp 00001000 08:01 1234 /usr/lib/libc.so.6, then a line for each figure of it.
            if (!char.IsAsciiLetterUpper(line[0]))
            {
                mapping = Mapping.Parse(line);
            }
            else if (
                mapping is { } file
                && line.StartsWith("Anonymous:", StringComparison.Ordinal)
                && line.EndsWith(" 0 kB", StringComparison.Ordinal)
            )
            {
                _ = madvise((void*)file.Start, file.End - file.Start, AdviseDontNeed);
            }
        }
    }

    [DllImport("libc")]
    private static extern int madvise(void* address, nuint length, int advice);

    private readonly record struct Mapping(nuint Start, nuint End)
    {
        // Null unless it is code, or a file's bytes as such: what a loader still may change, or has, stays.
        public static Mapping? Parse(string line)
        {
            string[] fields = line.Split(' ', StringSplitOptions.RemoveEmptyEntries);
            if (fields is not [string range, "r-xp" or "r-xs" or "r--s", _, _, not "0", ['/', ..], ..])
            {
                return null;
            }

            string[] ends = range.Split('-');
            return new Mapping(
                nuint.Parse(ends[0], NumberStyles.HexNumber, CultureInfo.InvariantCulture),
                nuint.Parse(ends[1], NumberStyles.HexNumber, CultureInfo.InvariantCulture)
            );
        }
    }
}
