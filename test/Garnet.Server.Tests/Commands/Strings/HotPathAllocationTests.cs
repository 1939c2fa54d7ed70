// Asserts that commands on the hot path do not allocate on the managed heap.
using Xunit;

namespace Garnet.Server.Tests.Commands.Strings;

[Trait("Values", "InMemory")]
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
        Allocations.AssertNone(server, command);
    }
}
