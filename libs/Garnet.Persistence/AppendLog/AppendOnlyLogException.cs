// The log on disk cannot be used as it is. Immutable.
namespace Garnet.Persistence.AppendLog;

/// <summary>Names the file, the position, the problem and the remedy.</summary>
public sealed class AppendOnlyLogException(string file, long position, string problem, string remedy)
    : Exception(FormattableString.Invariant($"{file}, byte {position}: {problem}. {remedy}"))
{
    public string File { get; } = file;

    /// <summary>Byte offset in the file.</summary>
    public long Position { get; } = position;
}
