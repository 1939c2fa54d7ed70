// A frame in FasterLog's form: written once, straight into the log's page. Used by the log's thread.
using FASTER.core;

namespace Garnet.Persistence.AppendLog;

/// <summary>Header and payload of the frame to be written next.</summary>
internal sealed class FrameEntry : ILogEnqueueEntry
{
    /// <summary>The header.</summary>
    public FrameHeader Header { get; set; }

    /// <summary>The payload.</summary>
    public ReadOnlyMemory<byte> Payload { get; set; }

    /// <inheritdoc/>
    public int SerializedLength => FrameHeader.FrameBytes(Header.PayloadLength);

    /// <inheritdoc/>
    public void SerializeTo(Span<byte> dest) => Header.Write(dest, Payload.Span);
}
