// TOUCH. One thread.
using Xunit;

namespace Garnet.Server.Tests.Commands.Keys;

public sealed class TouchCommandTests
{
    [Fact]
    public void Counts_the_keys_that_exist()
    {
        using InProcessServer server = new();
        server.Call("SET", "a", "1");
        Assert.Equal(":2\r\n", server.Call("TOUCH", "a", "b", "a"));
    }
}
