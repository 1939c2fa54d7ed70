// UNLINK. One thread.
using Xunit;

namespace Garnet.Server.Tests.Commands.Keys;

public sealed class UnlinkCommandTests
{
    [Fact]
    public void Removes_the_keys_that_exist_and_counts_them()
    {
        using InProcessServer server = new();
        server.Call("SET", "a", "1");
        server.Call("SET", "b", "2");
        Assert.Equal(":2\r\n", server.Call("UNLINK", "a", "missing", "b"));
        Assert.Equal(":0\r\n", server.Call("DBSIZE"));
    }
}
