// What a snapshot is written to. Used by the saver's thread.
using System.Buffers;
using Garnet.Persistence.Rdb;

namespace Garnet.Persistence.Snapshots;

/// <summary>
/// Collects the bytes of a snapshot and passes them on in large pieces, with their checksum. Failures are
/// <see cref="IOException"/>s.
/// </summary>
internal interface ISnapshotTarget : IBufferWriter<byte>, IDisposable
{
    /// <summary>Whether the header can be changed when the content turns out to require a later version.</summary>
    bool CorrectsVersion { get; }

    /// <summary>Bytes passed on.</summary>
    long WrittenBytes { get; }

    /// <summary>True when there is a piece to be passed on; best done now, though a caller that needs space triggers it anyway.</summary>
    bool IsPieceFull { get; }

    /// <summary>Bytes that can be added without passing anything on, so without waiting.</summary>
    int FreeBytes { get; }

    /// <summary>Updates the checksum in steps that are short enough for a time slice.</summary>
    void SumSteps();

    /// <summary>Passes full pieces on. The thread waits for the device or the receivers.</summary>
    void WritePiece();

    /// <summary>Adds the end mark and the checksum, and passes on everything.</summary>
    void Finish(RdbWriter writer);
}
