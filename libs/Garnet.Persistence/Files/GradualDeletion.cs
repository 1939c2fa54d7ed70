// Deletes large files in steps. Stateless; any thread.
using System.Diagnostics;
using Garnet.Persistence.Snapshots;
using Garnet.Store;
using Microsoft.Win32.SafeHandles;

namespace Garnet.Persistence.Files;

/// <summary>
/// A file system frees a file's space at once, and on many disks tells the device so (the mount option <c>discard</c>). For gigabytes that
/// takes seconds, in which no other file can be synced, so that clients which wait for their writes to be durable stand still. Cutting the
/// file shorter step by step leaves four fifths of the device's time to others.
/// </summary>
internal static class GradualDeletion
{
    /// <summary>Smaller files are deleted at once.</summary>
    public const long LeastBytes = 8L << 20;

    private const long LeastStepBytes = 4L << 20;
    private const int MostSteps = 1024;

    // How long a pause is, of the step before it.
    private const int PauseSteps = 4;

    /// <summary>Deletes a file; does nothing when there is none.</summary>
    /// <param name="path">Its path.</param>
    /// <param name="isHurried">Asked between steps: whether to delete the rest at once.</param>
    /// <exception cref="IOException">It cannot be deleted. It may have received the name of a temporary file.</exception>
    public static void Delete(string path, Func<bool> isHurried)
    {
        if (!HostSystem.IsLinux || new FileInfo(path) is not { Exists: true, LinkTarget: null, Length: >= LeastBytes })
        {
            File.Delete(path);
            return;
        }

        // Under another name, so that nobody takes the shorter file for the whole; a killed process leaves it to those who clean up.
        string aside = path;
        if (!TemporaryFile.TryParse(Path.GetFileName(path), out _))
        {
            aside = TemporaryFile.NameFor(path);
            File.Move(path, aside);
        }

        using (SafeFileHandle file = RegularFile.OpenWrite(aside))
        {
            // Its content may have another name, which others use.
            if (RegularFile.IsStillNamed(file, aside))
                Shorten(file, isHurried);
        }

        File.Delete(aside);
    }

    private static void Shorten(SafeFileHandle file, Func<bool> isHurried)
    {
        long length = RandomAccess.GetLength(file);
        long step = Math.Max(LeastStepBytes, length / MostSteps);
        while (length > 0 && !isHurried())
        {
            length = Math.Max(0, length - step);
            long start = Stopwatch.GetTimestamp();
            RandomAccess.SetLength(file, length);
            RandomAccess.FlushToDisk(file);
            Thread.Sleep(Stopwatch.GetElapsedTime(start) * PauseSteps);
        }
    }
}
