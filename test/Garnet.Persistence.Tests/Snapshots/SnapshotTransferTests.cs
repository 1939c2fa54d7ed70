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
