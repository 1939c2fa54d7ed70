// The folder that the log lives in: the seam at which tests inject faults. Any thread, one call at a time.
namespace Garnet.Persistence.AppendLog;

/// <summary>Makes, lists, reads and deletes files of one folder.</summary>
public interface ILogFolder
{
    /// <summary>The folder's path, for messages.</summary>
    string Path { get; }

    /// <summary>Names of what is in it; none when the folder does not exist.</summary>
    IReadOnlyList<string> List();

    /// <summary>Makes a new file, reserves its space, and makes its name durable. A file of that name is replaced.</summary>
    /// <returns>The file, or null with the error number.</returns>
    ISegmentFile? Create(string name, long bytes, out int error);

    /// <summary>Makes a small file of these bytes, durably but for its name; one of that name is replaced.</summary>
    /// <exception cref="IOException">The disk refuses.</exception>
    void Write(string name, ReadOnlySpan<byte> content);

    /// <summary>Gives a file another name, durably and in one step; one of that name is replaced.</summary>
    /// <exception cref="IOException">The disk refuses.</exception>
    void Rename(string name, string to);

    /// <summary>Reads a whole file into the buffer, which is made larger when it is too small.</summary>
    /// <returns>The file's length.</returns>
    /// <exception cref="IOException">It cannot be read, is no regular file, or is too long for a file of the log.</exception>
    int Read(string name, ref byte[] buffer);

    /// <summary>A file's length.</summary>
    long Length(string name);

    /// <summary>Cuts a file off, durably.</summary>
    void Truncate(string name, long length);

    /// <summary>
    /// Gives the content of a file elsewhere a second name here, durably; copies it where the file system knows no second names.
    /// </summary>
    /// <exception cref="IOException">The disk refuses.</exception>
    void Import(string path, string name);

    /// <summary>Deletes a file; none of that name is no error.</summary>
    void Delete(string name);

    /// <summary>What people call this error number.</summary>
    string Describe(int error);
}
