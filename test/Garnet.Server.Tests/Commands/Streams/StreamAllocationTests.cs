// The commands that run all the time leave nothing to the garbage collector. One thread.
using Xunit;

namespace Garnet.Server.Tests.Commands.Streams;

public sealed class StreamAllocationTests
{
    [Fact]
    public void Adding_and_reading_allocate_nothing()
    {
        using InProcessServer server = new();
        server.Call("XADD", "s", "1-1", "a", "1");
        byte[][] requests =
        [
            InProcessClient.Request("XADD", "s", "MAXLEN", "~", "1000", "*", "field", "value"),
            InProcessClient.Request("XLEN", "s"),
            InProcessClient.Request("XRANGE", "s", "-", "+", "COUNT", "5"),
            InProcessClient.Request("XREAD", "COUNT", "5", "STREAMS", "s", "0"),
        ];
        Run(server, requests, 2000);
        long before = GC.GetAllocatedBytesForCurrentThread();
        const int rounds = 2000;
        Run(server, requests, rounds);
        // What remains is the test's own taking of replies, and now and then a larger native page's record.
        long perCommand = (GC.GetAllocatedBytesForCurrentThread() - before) / (rounds * requests.Length);
        Assert.True(perCommand < 16, $"{perCommand} bytes a command");
    }

    private static void Run(InProcessServer server, byte[][] requests, int rounds)
    {
        for (int i = 0; i < rounds; i++)
        {
            foreach (byte[] request in requests)
            {
                server.Client.Send(request);
                server.Client.Discard();
            }
        }
    }
}
