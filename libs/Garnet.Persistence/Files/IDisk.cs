// The file system operations that persistence needs; tests replace it with a faulty one. Any thread.
namespace Garnet.Persistence.Files;

/// <summary>Files by path. Every failure is an <see cref="IOException"/> or an <see cref="UnauthorizedAccessException"/>.</summary>
internal interface IDisk
{
    /// <summary>Creates an empty file for writing. Fails if the name exists, even as a link.</summary>
    /// <param name="path">Its path.</param>
    /// <param name="isDirect">
    /// Whether to bypass the page cache where possible; the file's <see cref="IDiskFile.Alignment"/> says what that requires.
    /// </param>
    IDiskFile Create(string path, bool isDirect);

    /// <summary>Opens an existing file for reading and writing.</summary>
    IDiskFile Open(string path);

    /// <summary>Whether a file exists.</summary>
    bool Exists(string path);

    /// <summary>Renames a file atomically, replacing any file with the new name.</summary>
    void Rename(string from, string to);

    /// <summary>
    /// Gives a large file that is about to be replaced a second name, that of a temporary file, to be deleted with
    /// <see cref="DeleteGradually"/>; null where that is not needed or not possible.
    /// </summary>
    string? SetAside(string path) => null;

    /// <summary>Deletes a file; does nothing when there is none.</summary>
    void Delete(string path);

    /// <summary>As <see cref="Delete"/>, in steps between which others can use the device.</summary>
    /// <param name="path">Its path.</param>
    /// <param name="isHurried">Asked between steps: whether to delete the rest at once.</param>
    void DeleteGradually(string path, Func<bool> isHurried) => Delete(path);

    /// <summary>
    /// Takes a lock on writing some file, respected by other servers on every machine that shares the disk; null when one of them holds it.
    /// </summary>
    /// <param name="path">A file created for the lock.</param>
    /// <param name="holder">Description of the holder, shown to others.</param>
    /// <param name="heldBy">The description of the present holder, when null is returned.</param>
    IDisposable? TryLock(string path, string holder, out string heldBy);

    /// <summary>
    /// Fails unless files can be created in a folder now. Holding a lock there does not prove it: the lock file may be older than the
    /// folder's present mode.
    /// </summary>
    /// <param name="folder">The folder's path.</param>
    void CheckWritable(string folder);

    /// <summary>
    /// Deletes temporary files that killed writers of a file left behind; returns their number. Only for the holder of the lock on writing
    /// it.
    /// </summary>
    int DeleteLeftovers(string path);

    /// <summary>Makes names in a folder durable: files created, renamed and deleted.</summary>
    void SyncFolder(string path);
}
