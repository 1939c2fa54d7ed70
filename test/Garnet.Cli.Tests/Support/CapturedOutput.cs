// Keeps what a run prints. One thread.
using Garnet.Cli.Output;

namespace Garnet.Cli.Tests.Support;

/// <summary>An output whose reader may go away after a number of bytes.</summary>
internal sealed class CapturedOutput : IOutput
{
    private readonly MemoryStream _bytes = new();

    /// <summary>How many bytes are taken before the reader is gone.</summary>
    public long Capacity { get; init; } = long.MaxValue;

    /// <summary>All bytes so far.</summary>
    public byte[] Bytes => _bytes.ToArray();

    /// <summary>The most bytes that were written at once.</summary>
    public int LargestWrite { get; private set; }

    /// <inheritdoc/>
    public void Write(ReadOnlySpan<byte> bytes)
    {
        LargestWrite = Math.Max(LargestWrite, bytes.Length);
        if (_bytes.Length + bytes.Length > Capacity)
            throw new CliException("", CliException.BrokenPipe);
        _bytes.Write(bytes);
    }
}
