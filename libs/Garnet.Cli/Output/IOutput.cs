// Where bytes for the user go. Implementations say which threads may call.
namespace Garnet.Cli.Output;

/// <summary>Standard output or standard error, or what stands for them in a test.</summary>
internal interface IOutput
{
    /// <summary>Writes all bytes, at once.</summary>
    /// <exception cref="CliException">The reader is gone, or a file cannot take them.</exception>
    void Write(ReadOnlySpan<byte> bytes);
}
