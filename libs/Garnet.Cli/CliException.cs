// An end of `garnet cli` that its user can do something about. A plain value; no thread owns it.
namespace Garnet.Cli;

/// <summary>Its message is printed as one line on standard error.</summary>
/// <param name="message">Says what is wrong and, where possible, what to do.</param>
/// <param name="exitCode">The exit code of the process.</param>
/// <param name="cause">What it comes of, or null.</param>
internal sealed class CliException(string message, int exitCode = 1, Exception? cause = null) : Exception(message, cause)
{
    /// <summary>The exit code when the reader of the output is gone: what a shell reports of a program that SIGPIPE ended.</summary>
    public const int BrokenPipe = 141;

    /// <summary>The exit code where Ctrl+C ended something that is of no use in part.</summary>
    public const int Interrupted = 130;

    /// <summary>The exit code of the process.</summary>
    public int ExitCode { get; } = exitCode;
}
