// The file of a snapshot, on a disk that counts. One file per test.
using Garnet.Persistence.Files;
using Garnet.Persistence.Snapshots;
using Xunit;

namespace Garnet.Persistence.Tests.Snapshots;

public sealed class SnapshotFileTests
{
    // Whether the page cache is used or bypassed: the device has a cache of its own.
    [Theory]
    [InlineData(1)]
    [InlineData(4096)]
    public void No_sync_has_much_to_do(int alignment)
    {
        const int Bytes = 40 << 20;
        CountingFile disk = new(alignment);
        using SnapshotFile file = new(disk, hasChecksum: true);
        while (file.Length < Bytes)
        {
            file.Advance(Math.Min(file.GetSpan(1).Length, 64 * 1024));
            if (file.IsPieceFull)
                file.WritePiece();
        }

        Assert.True(disk.Length >= Bytes - (2 * SnapshotFile.PieceBytes));
        Assert.InRange(disk.MostUnsynced, 1, 10 << 20);
    }

    private sealed class CountingFile(int alignment) : IDiskFile
    {
        private long _unsynced;

        public int Alignment => alignment;

        public long Length { get; private set; }

        public long MostUnsynced { get; private set; }

        public int Write(long offset, ReadOnlySpan<byte> bytes)
        {
            Length = Math.Max(Length, offset + bytes.Length);
            _unsynced += bytes.Length;
            MostUnsynced = Math.Max(MostUnsynced, _unsynced);
            return bytes.Length;
        }

        public int Read(long offset, Span<byte> bytes) => 0;

        public void SetLength(long length) => Length = length;

        public void Sync() => _unsynced = 0;

        public void Dispose() { }
    }
}
