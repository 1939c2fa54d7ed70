// The most frequent stream commands do not allocate managed memory. One thread.
using Xunit;

namespace Garnet.Server.Tests.Commands.Streams;

public sealed class StreamAllocationTests
{
    [Fact]
    [Trait("Values", "InMemory")]
    public void Adding_and_reading_allocate_nothing()
    {
        using InProcessServer server = new();
        server.Call("XADD", "s", "1-1", "a", "1");
        Allocations.AssertNone(
            server,
            InProcessClient.Request("XADD", "s", "MAXLEN", "~", "1000", "*", "field", "value"),
            InProcessClient.Request("XLEN", "s"),
            InProcessClient.Request("XRANGE", "s", "-", "+", "COUNT", "5"),
            InProcessClient.Request("XREAD", "COUNT", "5", "STREAMS", "s", "0")
        );
    }
}
