// Holds the commands of the hot path to the rule that none of them allocates on the managed heap.
using Xunit;

namespace Garnet.Server.Tests.Commands.Strings;

public sealed class HotPathAllocationTests
{
    [Theory]
    [InlineData("SET k value")]
    [InlineData("SET k value EX 100")]
    [InlineData("SET k value PX 100000 NX")]
    [InlineData("GET k")]
    [InlineData("GET missing")]
    [InlineData("GETSET k value")]
    [InlineData("INCR counter")]
    [InlineData("INCRBY counter 7")]
    [InlineData("INCRBYFLOAT float 0.25")]
    [InlineData("APPEND short x")]
    [InlineData("STRLEN k")]
    [InlineData("GETRANGE k 1 2")]
    [InlineData("SETRANGE k 1 x")]
    [InlineData("MGET k a b missing")]
    [InlineData("MSET k 1 a 2 b 3")]
    [InlineData("SETEX k 100 value")]
    public void A_command_allocates_nothing(string command)
    {
        using InProcessServer server = new();
        server.Call("MSET", "k", "value", "counter", "1", "float", "1.5");
        byte[] one = InProcessClient.Request(command.Split(' '));
        byte[] many = [.. Enumerable.Repeat(one, 17).SelectMany(bytes => bytes)];
        for (int i = 0; i < 200; i++)
        {
            Measure(server.Client, one);
            Measure(server.Client, many);
        }

        // Waking up for a batch may cost something; the sixteen further commands in it must not. The least of several tries leaves out what
        // tiered compilation does.
        long least = long.MaxValue;
        for (int i = 0; i < 20; i++)
            least = Math.Min(least, Math.Abs(Measure(server.Client, many) - Measure(server.Client, one)));
        Assert.Equal(0, least);
    }

    private static long Measure(InProcessClient client, byte[] bytes)
    {
        long before = GC.GetAllocatedBytesForCurrentThread();
        client.Send(bytes);
        long after = GC.GetAllocatedBytesForCurrentThread();
        Assert.NotEqual(0, client.Discard());
        return after - before;
    }
}
