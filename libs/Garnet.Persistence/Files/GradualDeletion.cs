// Deletes large files in steps. Stateless; any thread.
using System.Diagnostics;
using Garnet.Persistence.AppendLog;
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
    private static readonly TimeSpan MaxPause = TimeSpan.FromMilliseconds(200);
    private static readonly TimeSpan MaxDuration = TimeSpan.FromSeconds(30);

    /// <summary>Whether a file is deleted in steps, if its content has no other name and no one has it open.</summary>
    public static bool Applies(string path) =>
        HostSystem.IsLinux && new FileInfo(path) is { Exists: true, LinkTarget: null, Length: >= LeastBytes };

    /// <summary>
    /// Asks <paramref name="isOver"/>, and whether half a minute is over: what waits for the deletion, such as another snapshot, is not to
    /// wait for longer.
    /// </summary>
    public static Func<bool> HurriedWhen(Func<bool> isOver)
    {
        long start = Stopwatch.GetTimestamp();
        return () => isOver() || Stopwatch.GetElapsedTime(start) > MaxDuration;
    }

    /// <summary>Deletes a file; does nothing when there is none.</summary>
    /// <param name="path">Its path.</param>
    /// <param name="isHurried">Asked between steps: whether to delete the rest at once.</param>
    /// <exception cref="IOException">It cannot be deleted. It may have received the name of a temporary file.</exception>
    public static void Delete(string path, Func<bool> isHurried)
    {
        if (!Applies(path))
        {
            File.Delete(path);
            return;
        }

        // Under another name, so that no one takes the shorter file for the whole; a killed process leaves it to those who clean up.
        string aside = path;
        if (!TemporaryFile.TryParse(Path.GetFileName(path), out _))
        {
            aside = TemporaryFile.NameFor(path);
            File.Move(path, aside);
        }

        try
        {
            Shorten(aside, isHurried);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // It may be read-only, which does not keep it from being deleted.
        }

        File.Delete(aside);
    }

    private static void Shorten(string path, Func<bool> isHurried)
    {
        using SafeFileHandle file = RegularFile.OpenWrite(path);
        // Its content may have another name, or someone may be copying it: both may rely on a complete file not changing any more.
        if (!RegularFile.HasOneName(file) || !FileCalls.IsOpenOnce(file))
            return;
        long length = RandomAccess.GetLength(file);
        long step = Math.Max(LeastStepBytes, length / MostSteps);
        while (length > 0 && !isHurried())
        {
            length = Math.Max(0, length - step);
            long start = Stopwatch.GetTimestamp();
            RandomAccess.SetLength(file, length);
            RandomAccess.FlushToDisk(file);
            TimeSpan pause = Stopwatch.GetElapsedTime(start) * PauseSteps;
            Thread.Sleep(pause < MaxPause ? pause : MaxPause);
        }
    }
}
