// What the system tells of a process: memory and processor time. Linux only. Stateless; any thread.
using System.Globalization;

namespace Garnet.Testing;

/// <summary>Reads /proc of a process that a test watches, ours or a peer.</summary>
public static class ProcessReadings
{
    private const int TicksPerSecond = 100; // USER_HZ, the unit of /proc/<id>/stat on every Linux

    /// <summary>Resident memory in bytes.</summary>
    public static long ResidentBytes(int id) => StatusKilobytes(id, "VmRSS:") * 1024;

    /// <summary>The highest resident memory since the process began, or since <see cref="ResetPeak"/>, in bytes.</summary>
    public static long PeakResidentBytes(int id) => StatusKilobytes(id, "VmHWM:") * 1024;

    /// <summary>Begins the peak of resident memory anew.</summary>
    public static void ResetPeak(int id) => File.WriteAllText($"/proc/{id}/clear_refs", "5");

    /// <summary>Processor time used since the start, by all threads of the process; counted in hundredths of a second.</summary>
    public static TimeSpan ProcessorTime(int id)
    {
        string stat = File.ReadAllText($"/proc/{id}/stat");
        string[] fields = stat[(stat.LastIndexOf(')') + 2)..].Split(' ');
        return TimeSpan.FromSeconds(
            (long.Parse(fields[11], CultureInfo.InvariantCulture) + long.Parse(fields[12], CultureInfo.InvariantCulture))
                / (double)TicksPerSecond
        );
    }

    private static long StatusKilobytes(int id, string field) =>
        long.Parse(
            File.ReadLines($"/proc/{id}/status").First(line => line.StartsWith(field, StringComparison.Ordinal))[field.Length..^2],
            CultureInfo.InvariantCulture
        );
}
