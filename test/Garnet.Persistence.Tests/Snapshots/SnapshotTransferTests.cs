// Snapshots on their way to receivers. One transfer per test.
using Garnet.Persistence.Effects;
using Garnet.Persistence.Rdb;
using Garnet.Persistence.Snapshots;
using Xunit;

namespace Garnet.Persistence.Tests.Snapshots;

public sealed class SnapshotTransferTests
{
    // Between the snapshot and the mark a receiver may read all there is, and must not take it for the end.
    [Fact]
    public void A_receiver_has_all_only_when_it_has_the_mark()
    {
        byte[] mark = "the end of the snapshot"u8.ToArray();
        using SnapshotTransfer transfer = new(hasChecksum: true, mark);
        GreedyReceiver receiver = new(transfer);
        receiver.Reader = transfer.AddReceiver(receiver, long.MaxValue);
        RdbWriter writer = new(transfer.Open(static () => 0), new RdbWriterOptions { Version = RdbWriter.UsualVersion });
        writer.WriteHeader();
        transfer.Finish(writer);
        Assert.Equal([false, true], receiver.HadAll);
        Assert.False(transfer.IsReadBy(receiver.Reader.Position - 1));
        Assert.True(receiver.Received.AsSpan().EndsWith(mark));
    }

    // The saver waits for one that is far behind, but not for long, and not at all once it is beyond its limit.
    [Theory]
    [InlineData(long.MaxValue)]
    [InlineData(1 << 20)]
    public void A_receiver_that_has_stopped_does_not_stop_the_others(long maxLag)
    {
        const int Bytes = 24 << 20;
        using SnapshotTransfer transfer = new(hasChecksum: false, [1]);
        CountingReceiver reading = new();
        reading.Reader = transfer.AddReceiver(reading, long.MaxValue);
        EffectReader stopped = transfer.AddReceiver(new SilentReceiver(), maxLag);
        transfer.Open(static () => 0);
        while (transfer.WrittenBytes < Bytes)
        {
            transfer.Advance(Math.Min(transfer.GetSpan(1).Length, 64 * 1024));
            transfer.WritePiece();
        }

        Assert.Equal(transfer.WrittenBytes, reading.Bytes);
        Assert.Equal(maxLag < Bytes, stopped.IsLost);
    }

    private sealed class CountingReceiver : IEffectListener
    {
        public EffectReader Reader { get; set; } = null!;

        public long Bytes { get; private set; }

        public void OnAppended()
        {
            while (Reader.Peek() is { IsEmpty: false } next)
            {
                Bytes += next.Length;
                Reader.Advance(next.Length);
            }
        }
    }

    private sealed class SilentReceiver : IEffectListener
    {
        public void OnAppended() { }
    }

    private sealed class GreedyReceiver(SnapshotTransfer transfer) : IEffectListener
    {
        public EffectReader Reader { get; set; } = null!;

        public byte[] Received { get; private set; } = [];

        public List<bool> HadAll { get; } = [];

        public void OnAppended()
        {
            while (Reader.Peek() is { IsEmpty: false } next)
            {
                Received = [.. Received, .. next.Span];
                Reader.Advance(next.Length);
            }

            HadAll.Add(transfer.IsReadBy(Reader.Position));
        }
    }
}
