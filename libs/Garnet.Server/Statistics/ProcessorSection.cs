// INFO cpu. Stateless; any thread.
using System.Globalization;

namespace Garnet.Server.Statistics;

/// <summary>Processor time of the process, in seconds.</summary>
internal static class ProcessorSection
{
    /// <summary>Writes the fields.</summary>
    public static void Write(InfoText text)
    {
        // The one call is missing on a few systems only; there the fields are left out.
        if (OperatingSystem.IsIOS() || OperatingSystem.IsTvOS() || OperatingSystem.IsBrowser())
            return;
        Environment.ProcessCpuUsage usage = Environment.CpuUsage;
        text.Field("used_cpu_sys", Seconds(usage.PrivilegedTime));
        text.Field("used_cpu_user", Seconds(usage.UserTime));
        // There are no children: saving needs no process of its own.
        text.Field("used_cpu_sys_children", Seconds(TimeSpan.Zero));
        text.Field("used_cpu_user_children", Seconds(TimeSpan.Zero));
    }

    private static string Seconds(TimeSpan time) => time.TotalSeconds.ToString("F6", CultureInfo.InvariantCulture);
}
