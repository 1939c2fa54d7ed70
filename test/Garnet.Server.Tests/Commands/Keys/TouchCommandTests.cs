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

    [Fact]
    public void Counts_as_one_access_even_with_NO_TOUCH()
    {
        using InProcessServer server = new(static options =>
            (options.MaxMemoryPolicy, options.LfuLogFactor) = (EvictionPolicy.AllKeysLfu, 0)
        );
        server.Call("SET", "a", "1");
        server.Call("TOUCH", "a");
        Assert.Equal(":6\r\n", server.Call("OBJECT", "FREQ", "a"));
        server.Call("CLIENT", "NO-TOUCH", "on");
        server.Call("GET", "a");
        server.Call("TOUCH", "a");
        Assert.Equal(":7\r\n", server.Call("OBJECT", "FREQ", "a"));
    }
}
