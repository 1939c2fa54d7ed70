// The processor time of the process. Any thread.
namespace Garnet.Engine.Counters;

/// <summary>Asks the operating system.</summary>
internal static class ProcessorUsage
{
    /// <summary>The processor time so far; a few systems lack the call, and there the fields are omitted.</summary>
    public static bool TryGet(out Environment.ProcessCpuUsage usage)
    {
        usage = default;
        if (OperatingSystem.IsIOS() || OperatingSystem.IsTvOS() || OperatingSystem.IsBrowser())
            return false;
        usage = Environment.CpuUsage;
        return true;
    }
}
