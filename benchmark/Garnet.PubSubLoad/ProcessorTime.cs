// What a process has used, from /proc. Stateless.
using System.Globalization;

namespace Garnet.PubSubLoad;

/// <summary>Linux only.</summary>
internal static class ProcessorTime
{
    private const double TicksPerSecond = 100;

    /// <summary>Processor seconds of a process and its threads, so far.</summary>
    public static double SecondsOf(int process)
    {
        string[] fields = Fields(process);
        return (long.Parse(fields[11], CultureInfo.InvariantCulture) + long.Parse(fields[12], CultureInfo.InvariantCulture))
            / TicksPerSecond;
    }

    /// <summary>Its highest resident memory in MiB, since it started.</summary>
    public static double PeakMebibytesOf(int process)
    {
        string line = File.ReadLines($"/proc/{process}/status").First(static line => line.StartsWith("VmHWM:", StringComparison.Ordinal));
        return long.Parse(line.Split(' ', StringSplitOptions.RemoveEmptyEntries)[1], CultureInfo.InvariantCulture) / 1024.0;
    }

    // The fields after the command's name, which may have spaces; the first is the state.
    private static string[] Fields(int process)
    {
        string text = File.ReadAllText($"/proc/{process}/stat");
        return text[(text.LastIndexOf(')') + 2)..].Split(' ');
    }
}
