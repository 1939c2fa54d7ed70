// Drops pages of the program and the runtime that were only read from their files. Linux only; usable from any thread, called rarely.
using System.Globalization;
using System.Runtime.InteropServices;

namespace Garnet.Store.Memory;

/// <summary>
/// Start-up reads and executes far more of the program's files than serving does: some 40 MB, most of which is never touched again. The
/// system keeps them in its page cache anyway and would take them from the process when memory runs short; this drops them as soon as they
/// would compete with the data. Pages still needed are faulted in again, sixteen at a time, without disk access.
/// </summary>
internal static unsafe class ProgramPages
{
    private const int AdviseDontNeed = 4;
    private const string Mappings = "/proc/self/smaps";

    /// <summary>
    /// Unmaps pages that merely duplicate a file: mappings of code, and read-only shared ones, in which no page was ever changed. Takes
    /// about a millisecond per 100 MB mapped by the process.
    /// </summary>
    public static void GiveBack()
    {
        if (!HostSystem.IsLinux || !File.Exists(Mappings))
            return;

        Mapping? mapping = null;
        foreach (string line in File.ReadLines(Mappings))
        {
            // 7f12a000-7f12c000 r-xp 00001000 08:01 1234 /usr/lib/libc.so.6, then one line for each of its figures.
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
        // Null unless it is code or plain file contents: anything a loader has changed, or may still change, stays.
        public static Mapping? Parse(string line)
        {
            string[] fields = line.Split(' ', StringSplitOptions.RemoveEmptyEntries);
            if (fields is not [string range, "r-xp" or "r-xs" or "r--s", _, _, not "0", ['/', ..], ..])
                return null;

            string[] ends = range.Split('-');
            return new Mapping(
                nuint.Parse(ends[0], NumberStyles.HexNumber, CultureInfo.InvariantCulture),
                nuint.Parse(ends[1], NumberStyles.HexNumber, CultureInfo.InvariantCulture)
            );
        }
    }
}
