// What persistence asks of a file system; tests put a faulty one in its place. Any thread.
namespace Garnet.Persistence.Files;

/// <summary>Files by path. Every failure is an <see cref="IOException"/> or an <see cref="UnauthorizedAccessException"/>.</summary>
public interface IDisk
{
    /// <summary>Makes an empty file for writing. One that exists, or a link under the name, is a failure.</summary>
    /// <param name="path">Its path.</param>
    /// <param name="isDirect">
    /// Whether to go past the system's cache where that is possible; the file's <see cref="IDiskFile.Alignment"/> tells what that demands.
    /// </param>
    IDiskFile Create(string path, bool isDirect);

    /// <summary>Opens an existing file for reading and writing.</summary>
    IDiskFile Open(string path);

    /// <summary>Whether a file exists.</summary>
    bool Exists(string path);

    /// <summary>Puts a file in the place of another, or of none, in one step.</summary>
    void Rename(string from, string to);

    /// <summary>Removes a file; does nothing when there is none.</summary>
    void Delete(string path);

    /// <summary>
    /// Takes the right to write some file, which other servers on any machine that shares the disk respect; null when one of them has it.
    /// </summary>
    /// <param name="path">A file made for the lock.</param>
    /// <param name="holder">What others are told.</param>
    /// <param name="heldBy">What the present holder says of itself, when null is returned.</param>
    IDisposable? TryLock(string path, string holder, out string heldBy);

    /// <summary>
    /// Fails unless files can be made in a folder now. Holding a lock there does not say so: its file may be older than the folder's
    /// present mode.
    /// </summary>
    /// <param name="folder">The folder's path.</param>
    void CheckWritable(string folder);

    /// <summary>
    /// Deletes what writers that were killed have left of a file; how many files that were. Only for the holder of the right to write it.
    /// </summary>
    int DeleteLeftovers(string path);

    /// <summary>Makes names in a folder durable: files made, renamed and removed.</summary>
    void SyncFolder(string path);
}
