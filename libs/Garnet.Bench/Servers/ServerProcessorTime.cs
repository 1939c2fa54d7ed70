// Reads how much processor time a server has used. One caller at a time.
using System.Diagnostics;

namespace Garnet.Bench.Servers;

/// <summary>From a process of this machine if one is named, else from INFO, which works from afar, too.</summary>
internal static class ServerProcessorTime
{
    /// <summary>The time used so far, or null when it cannot be known.</summary>
    /// <exception cref="BenchException">There is no such process.</exception>
    public static async Task<TimeSpan?> ReadAsync(ControlConnection connection)
    {
        if (connection.Server.Options.ServerProcess is { } id)
            return OfProcess(id);
        return (await connection.ReadInformationAsync().ConfigureAwait(false)).ProcessorTime;
    }

    private static TimeSpan OfProcess(int id)
    {
        try
        {
            using var process = Process.GetProcessById(id);
            return process.TotalProcessorTime;
        }
        catch (Exception e) when (e is ArgumentException or InvalidOperationException or System.ComponentModel.Win32Exception)
        {
            throw new BenchException($"--server-pid {id}: its processor time cannot be read: {e.Message}", e);
        }
    }
}
