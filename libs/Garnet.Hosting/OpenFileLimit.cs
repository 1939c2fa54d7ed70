// How many connections the system lets this process hold. Any thread.
using System.Globalization;
using Garnet.Store;

namespace Garnet.Hosting;

/// <summary>
/// Reads the system's limit of open files. The runtime raises the soft limit to the hard one at start, so the hard one counts.
/// Where it cannot be read (other systems than Linux), nothing is limited here.
/// </summary>
internal static class OpenFileLimit
{
    private const string Source = "/proc/self/limits";
    private const string Row = "Max open files";

    // What is open besides clients: assemblies, the log, endpoints, epoll and wake-up descriptors of the threads.
    private const int ReservedFiles = 256;

    /// <summary>The greatest useful value of maxclients.</summary>
    public static long MaxClients()
    {
        if (!HostSystem.IsLinux || !File.Exists(Source))
            return long.MaxValue;
        // Max open files            1024                 1048576              files
        string? row = File.ReadLines(Source).FirstOrDefault(line => line.StartsWith(Row, StringComparison.Ordinal));
        string[] columns = row?[Row.Length..].Split(' ', StringSplitOptions.RemoveEmptyEntries) ?? [];
        return columns.Length > 1 && long.TryParse(columns[1], NumberStyles.None, CultureInfo.InvariantCulture, out long hard)
            ? Math.Max(1, hard - ReservedFiles)
            : long.MaxValue;
    }
}
