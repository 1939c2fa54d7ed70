// The log on disk cannot be used as it is. Immutable.
namespace Garnet;

/// <summary>The append-only log cannot be read or written; the message names the file, the position, the problem and the remedy.</summary>
public sealed class AppendOnlyLogException : Exception
{
    internal AppendOnlyLogException(string file, long position, string problem, string remedy, bool isDiskFull = false)
        : base(FormattableString.Invariant($"{file}, byte {position}: {problem}. {remedy}"))
    {
        File = file;
        Position = position;
        Problem = problem;
        IsDiskFull = isDiskFull;
    }

    /// <summary>The problem alone.</summary>
    internal string Problem { get; }

    /// <summary>Whether all that is missing is space.</summary>
    internal bool IsDiskFull { get; }

    /// <summary>Path of the file.</summary>
    public string File { get; }

    /// <summary>Byte offset in the file.</summary>
    public long Position { get; }
}
