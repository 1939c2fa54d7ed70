// The result of reading a log to its end. Immutable.
namespace Garnet.Persistence.AppendLog;

/// <summary>The end of a log.</summary>
/// <param name="LogId">Identity of the log.</param>
/// <param name="Offset">Position after the last whole effect.</param>
/// <param name="Generations">Generations read.</param>
/// <param name="Frames">Frames read.</param>
/// <param name="Bytes">Bytes of effects read.</param>
/// <param name="Truncation">What was lost at the end, or null.</param>
internal sealed record LogEnd(ulong LogId, long Offset, int Generations, long Frames, long Bytes, LogTruncation? Truncation);
