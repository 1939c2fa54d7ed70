// A lost end of a log. Immutable.
namespace Garnet.Persistence.AppendLog;

/// <summary>A write that was in progress when the server ended, or a truncated file.</summary>
/// <param name="File">The last file with a complete frame.</param>
/// <param name="Position">Where the complete frames end.</param>
/// <param name="LostBytes">Bytes after it that are not complete frames, as far as can be determined.</param>
internal sealed record LogTruncation(string File, long Position, long LostBytes);
