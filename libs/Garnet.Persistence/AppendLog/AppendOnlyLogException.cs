// The log on the disk cannot be used as it is. Immutable.
namespace Garnet.Persistence.AppendLog;

/// <summary>Says which file, where in it, what is wrong, and what to do.</summary>
public sealed class AppendOnlyLogException(string file, long position, string problem, string remedy)
    : Exception(FormattableString.Invariant($"{file}, byte {position}: {problem}. {remedy}"))
{
    /// <summary>The file.</summary>
    public string File { get; } = file;

    /// <summary>Byte in the file.</summary>
    public long Position { get; } = position;
}
