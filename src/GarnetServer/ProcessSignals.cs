// How the parent process set this process's signals. Stateless; any thread.
using System.Globalization;

namespace Garnet.Tool;

internal static class ProcessSignals
{
    private const string Field = "SigIgn:";
    private const ulong Interrupt = 1 << (2 - 1); // SIGINT is signal 2, the mask's lowest bit signal 1

    /// <summary>
    /// Whether SIGINT was ignored when the process began; the runtime leaves that as it is. False where the system does not tell.
    /// </summary>
    public static bool IsInterruptIgnored
    {
        get
        {
            const string Status = "/proc/self/status";
            if (!File.Exists(Status))
                return false;
            string? line = File.ReadLines(Status).FirstOrDefault(static line => line.StartsWith(Field, StringComparison.Ordinal));
            return line is not null
                && (ulong.Parse(line.AsSpan(Field.Length).Trim(), NumberStyles.HexNumber, CultureInfo.InvariantCulture) & Interrupt) != 0;
        }
    }
}
