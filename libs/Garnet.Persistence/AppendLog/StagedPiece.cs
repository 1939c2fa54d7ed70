// A piece of the stream of effects on its way to the log's thread. Written under the staging lock, read by the log's thread.
namespace Garnet.Persistence.AppendLog;

/// <summary>Whole effects, or the point at which a new generation begins.</summary>
internal sealed class StagedPiece(byte[] bytes)
{
    /// <summary>The effects.</summary>
    public byte[] Bytes { get; } = bytes;

    /// <summary>Bytes of them in use.</summary>
    public int Length { get; set; }

    /// <summary>Position of the first byte in the stream.</summary>
    public long Offset { get; set; }

    /// <summary>The generation that begins here; 0 when none does.</summary>
    public int Generation { get; init; }

    public StagedPiece? Next { get; set; }
}
