// The memory available to the process: the machine's, or a container's limit if lower. Reads small files of the system; any thread.
using System.Globalization;
using Garnet.Store;

namespace Garnet.Server.Basics;

/// <summary>The limits of control groups (version 2 and 1) and the memory of the machine.</summary>
internal static class MachineMemory
{
    // On other systems than Linux the runtime knows: the machine's memory, or less if a job object or runtime setting says so.
    private static readonly Lazy<long> Limit = new(static () =>
        HostSystem.IsLinux ? Read("/") : GC.GetGCMemoryInfo().TotalAvailableMemoryBytes
    );

    /// <summary>Maximum memory of this process; 0 where the system does not say.</summary>
    public static long LimitBytes => Limit.Value;

    /// <summary>Memory of the machine.</summary>
    public static long MachineBytes => HostSystem.IsLinux ? TotalBytes("/") : LimitBytes;

    /// <summary>True when a container's limit is lower than the machine's memory.</summary>
    public static bool IsContainer => LimitBytes > 0 && LimitBytes < MachineBytes;

    /// <summary>As <see cref="LimitBytes"/>, for a system whose files are under another root.</summary>
    public static long Read(string root)
    {
        long least = TotalBytes(root);
        foreach (string file in LimitFiles(root))
        {
            if (TryReadNumber(file, out long limit) && limit > 0 && (least == 0 || limit < least))
                least = limit;
        }

        return least;
    }

    /// <summary>Memory of the machine; 0 where the system does not say.</summary>
    public static long TotalBytes(string root)
    {
        string file = Path.Combine(root, "proc/meminfo");
        if (!File.Exists(file))
            return 0;
        string? total = File.ReadLines(file).FirstOrDefault(static line => line.StartsWith("MemTotal:", StringComparison.Ordinal));
        string[]? words = total?.Split(' ', StringSplitOptions.RemoveEmptyEntries);
        return words is [_, var kibibytes, ..] && long.TryParse(kibibytes, CultureInfo.InvariantCulture, out long value) ? value * 1024 : 0;
    }

    // A group is also bound by its ancestors' limits. Inside a container its own group usually is the root.
    private static IEnumerable<string> LimitFiles(string root)
    {
        string groups = Path.Combine(root, "sys/fs/cgroup");
        string own = Path.Combine(root, "proc/self/cgroup");
        string[] lines = File.Exists(own) ? File.ReadAllLines(own) : [];
        foreach (string line in lines)
        {
            // hierarchy:controllers:path
            string[] parts = line.Split(':', 3);
            if (parts.Length != 3)
                continue;
            bool isSecond = parts[1].Length == 0;
            if (!isSecond && !parts[1].Split(',').Contains("memory"))
                continue;
            string top = isSecond ? groups : Path.Combine(groups, "memory");
            string name = isSecond ? "memory.max" : "memory.limit_in_bytes";
            string path = parts[2].Trim('/');
            while (path.Length > 0)
            {
                yield return Path.Combine(top, path, name);
                path = Path.GetDirectoryName(path) ?? "";
            }

            yield return Path.Combine(top, name);
        }
    }

    // "max", and in version 1 a number beyond any machine's memory, mean no limit.
    private static bool TryReadNumber(string file, out long number)
    {
        number = 0;
        return File.Exists(file) && long.TryParse(File.ReadAllText(file).Trim(), CultureInfo.InvariantCulture, out number);
    }
}
