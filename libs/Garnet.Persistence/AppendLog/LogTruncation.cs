// The end of a log that was lost. Immutable.
namespace Garnet.Persistence.AppendLog;

/// <summary>A write that was not finished when the server ended, or a file that was cut.</summary>
/// <param name="File">The last file with something whole in it.</param>
/// <param name="Position">Where in the file what is whole ends.</param>
/// <param name="LostBytes">Bytes after it that are no whole frames, as far as they can be told.</param>
public sealed record LogTruncation(string File, long Position, long LostBytes);
