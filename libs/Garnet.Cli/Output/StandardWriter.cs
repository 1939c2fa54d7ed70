// Standard output for those who write text. One thread at a time.
using System.Text;

namespace Garnet.Cli.Output;

/// <summary>Writes UTF-8 at once, and notices that the reader is gone, which the runtime's writer does not.</summary>
/// <param name="output">Where it goes.</param>
internal sealed class StandardWriter(IOutput output) : TextWriter
{
    /// <summary>Standard output.</summary>
    public static StandardWriter Output { get; } = new(StandardStream.Output);

    /// <inheritdoc/>
    public override Encoding Encoding => Encoding.UTF8;

    /// <inheritdoc/>
    /// <exception cref="IOException">It could not be written.</exception>
    public override void Write(ReadOnlySpan<char> buffer)
    {
        byte[] bytes = new byte[Encoding.GetByteCount(buffer)];
        Encoding.GetBytes(buffer, bytes);
        try
        {
            output.Write(bytes);
        }
        catch (CliException e)
        {
            throw new IOException((e.InnerException ?? e).Message, e);
        }
    }

    /// <inheritdoc/>
    public override void Write(char value) => Write([value]);

    /// <inheritdoc/>
    public override void Write(string? value) => Write(value.AsSpan());

    /// <inheritdoc/>
    public override void Write(char[] buffer, int index, int count) => Write(buffer.AsSpan(index, count));
}
