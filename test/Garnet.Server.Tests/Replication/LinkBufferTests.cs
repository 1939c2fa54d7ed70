// How much is handed to the network at once, by transport, number of receivers, and what the network takes. One thread.
using Garnet.Server.Replication;
using Xunit;

namespace Garnet.Server.Tests.Replication;

public sealed class LinkBufferTests
{
    private const int KiB = 1024;
    private const int Most = 256 * KiB;

    [Fact]
    public void Sends_grow()
    {
        LinkBuffer buffer = new();
        Assert.Equal(64 * KiB, Send(buffer, receivers: 1));
        Assert.Equal(128 * KiB, Send(buffer, receivers: 1));
        Assert.Equal(Most, Send(buffer, receivers: 1));
        Assert.Equal(Most, Send(buffer, receivers: 1));
        // What the network has not taken yet counts, but the size stays.
        Assert.Equal(0, buffer.Begin(Most, receivers: 1, fixedBytes: 0));
        Assert.Equal(Most, buffer.Size);
    }

    [Fact]
    public void Several_receivers_get_smaller_sends_while_the_network_has_not_taken_the_last()
    {
        LinkBuffer buffer = new();
        for (int i = 0; i < 5; i++)
            Send(buffer, receivers: 2);
        Assert.Equal(Most, Send(buffer, receivers: 2));
        Assert.Equal(0, buffer.Begin(Most, receivers: 2, fixedBytes: 0));
        Assert.Equal(Most / 2, buffer.Size);
        for (int i = 0; i < 5; i++)
            buffer.Begin(Most, receivers: 2, fixedBytes: 0);
        Assert.Equal(16 * KiB, Send(buffer, receivers: 2));
        Assert.Equal(32 * KiB, Send(buffer, receivers: 2));
    }

    [Fact]
    public void A_send_that_is_not_full_leaves_the_size()
    {
        LinkBuffer buffer = new();
        buffer.Begin(0, receivers: 1, fixedBytes: 0);
        buffer.OnSent(100, isFull: false);
        Assert.Equal(64 * KiB, buffer.Size);
        buffer.OnSent(0, isFull: true);
        Assert.Equal((1, 100), (buffer.Sends, buffer.Bytes));
    }

    [Fact]
    public void A_fixed_size_stays()
    {
        LinkBuffer buffer = new();
        for (int i = 0; i < 3; i++)
            Assert.Equal(KiB, Send(buffer, receivers: 1, fixedBytes: KiB));
        Assert.Equal(KiB, buffer.Size);
        Assert.Equal(16 * KiB, Send(buffer, receivers: 1));
    }

    private static long Send(LinkBuffer buffer, int receivers, long fixedBytes = 0)
    {
        long room = buffer.Begin(0, receivers, fixedBytes);
        buffer.OnSent(room, isFull: true);
        return room;
    }
}
