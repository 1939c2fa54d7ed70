// Memory and processor time of a process, as the operating system reports them. Linux only. Stateless; any thread.
using System.Globalization;

namespace Garnet.Testing;

/// <summary>Reads /proc of a process that a test observes, ours or a peer.</summary>
internal static class ProcessReadings
{
    private const int TicksPerSecond = 100; // USER_HZ, the unit of /proc/<id>/stat on every Linux

    /// <summary>Resident memory in bytes.</summary>
    public static long ResidentBytes(int id) => StatusKilobytes(id, "VmRSS:") * 1024;

    /// <summary>Peak resident memory in bytes since the process started, or since <see cref="ResetPeak"/>.</summary>
    public static long PeakResidentBytes(int id) => StatusKilobytes(id, "VmHWM:") * 1024;

    /// <summary>Resets the peak of resident memory.</summary>
    public static void ResetPeak(int id) => File.WriteAllText($"/proc/{id}/clear_refs", "5");

    /// <summary>Processor time of all threads of the process since its start, in steps of 10 ms.</summary>
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
