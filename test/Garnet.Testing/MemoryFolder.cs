// Folders for tests that write many small files and test no disk. Any thread.
namespace Garnet.Testing;

/// <summary>Creates folders in memory where the system has such a place, where a sync costs microseconds instead of milliseconds.</summary>
internal static class MemoryFolder
{
    private const string SharedMemory = "/dev/shm";

    /// <summary>Creates an empty folder, which the caller deletes, and returns its path.</summary>
    /// <param name="prefix">How its name begins.</param>
    public static string Create(string prefix)
    {
        if (!Directory.Exists(SharedMemory))
            return Directory.CreateTempSubdirectory(prefix).FullName;
        return Directory.CreateDirectory(Path.Combine(SharedMemory, prefix + Path.GetRandomFileName())).FullName;
    }
}
