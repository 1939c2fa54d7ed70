// The folder of the log's files; tests replace it to inject faults. Any thread, one call at a time.
namespace Garnet.Persistence.AppendLog;

/// <summary>Creates, lists, reads and deletes files in one folder.</summary>
internal interface ILogFolder
{
    /// <summary>The folder's path, for messages.</summary>
    string Path { get; }

    /// <summary>Names of its files; empty when the folder does not exist.</summary>
    IReadOnlyList<string> List();

    /// <summary>Creates a new file, reserves some bytes in it, and makes its name durable. A file with that name is replaced.</summary>
    /// <returns>The file, or null with the error number.</returns>
    ISegmentFile? Create(string name, long bytes, out int error);

    /// <summary>Creates a small file with these bytes, durable except for its name; a file with that name is replaced.</summary>
    /// <exception cref="IOException">The operation failed.</exception>
    void Write(string name, ReadOnlySpan<byte> content);

    /// <summary>Renames a file, durably and atomically; a file with the new name is replaced.</summary>
    /// <exception cref="IOException">The operation failed.</exception>
    void Rename(string name, string to);

    /// <summary>Reads a whole file into the buffer, which is enlarged when it is too small.</summary>
    /// <returns>The file's length.</returns>
    /// <exception cref="IOException">It cannot be read, is not a regular file, or is too long for a file of the log.</exception>
    int Read(string name, ref byte[] buffer);

    /// <summary>Reads bytes from a position of a file.</summary>
    /// <returns>Their number; 0 at the end of the file.</returns>
    /// <exception cref="IOException">It cannot be read, or is not a regular file.</exception>
    int Read(string name, long position, Span<byte> target);

    /// <summary>A file's length.</summary>
    long Length(string name);

    /// <summary>Truncates a file, durably.</summary>
    void Truncate(string name, long length);

    /// <summary>
    /// Adds a file from elsewhere under a second name here, durably; copies it where the file system does not support hard links.
    /// </summary>
    /// <exception cref="IOException">The operation failed.</exception>
    void Import(string path, string name);

    /// <summary>Deletes a file; does nothing when there is none.</summary>
    void Delete(string name);

    /// <summary>As <see cref="Delete"/>, in steps between which others can use the device.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="isHurried">Asked between steps: whether to delete the rest at once.</param>
    void DeleteGradually(string name, Func<bool> isHurried) => Delete(name);

    /// <summary>The system's message for an error number.</summary>
    string Describe(int error);
}
