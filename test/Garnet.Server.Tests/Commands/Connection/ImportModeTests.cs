// import-mode and CLIENT IMPORT-SOURCE: what has expired is kept, and seen by the client that copies it.
using Garnet.Server.Tests.Persistence;
using Garnet.Store.Eviction;
using Xunit;

namespace Garnet.Server.Tests.Commands.Connection;

public sealed class ImportModeTests
{
    [Fact]
    public void The_source_sees_what_has_expired_and_others_do_not()
    {
        using InProcessServer server = new();
        Assert.Equal("+OK\r\n", server.Call("CONFIG", "SET", "import-mode", "yes"));
        InProcessClient source = server.Connect();
        Assert.Equal("+OK\r\n", source.Call("CLIENT", "IMPORT-SOURCE", "ON"));
        Assert.Contains("flags=I ", source.Call("CLIENT", "INFO"), StringComparison.Ordinal);
        source.Call("SET", "a", "1", "PX", "100");
        source.Call("SET", "passed", "1", "PXAT", "1");
        source.Call("HSET", "h", "f", "1", "g", "2");
        source.Call("HPEXPIRE", "h", "100", "FIELDS", "1", "f");
        source.Call("SET", "b", "1");
        Assert.Equal(":1\r\n", source.Call("EXPIREAT", "b", "1"));
        for (int i = 0; i < 20; i++)
            server.Clock.Advance(TimeSpan.FromMilliseconds(100));
        foreach (string key in (string[])["a", "passed", "b"])
        {
            Assert.Equal("$-1\r\n", server.Call("GET", key));
            Assert.Equal("$1\r\n1\r\n", source.Call("GET", key));
        }

        Assert.Equal("$-1\r\n", server.Call("HGET", "h", "f"));
        Assert.Equal("$1\r\n1\r\n", source.Call("HGET", "h", "f"));
        Assert.Equal(":4\r\n", server.Call("DBSIZE"));
        Assert.Equal(":2\r\n", source.Call("INCR", "a"));
        Assert.Equal("$-1\r\n", server.Call("GET", "a"));
        Assert.Equal("+OK\r\n", server.Call("CONFIG", "SET", "import-mode", "no"));
        // Its own thread is told.
        LoggedServer.Await(() => !source.Session.Modes.IsImportSource);
        Assert.Equal("$-1\r\n", source.Call("GET", "a"));
        Assert.Equal("$-1\r\n", source.Call("GET", "passed"));
        Assert.DoesNotContain("flags=I", source.Call("CLIENT", "INFO"), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_source_that_ends_the_mode_sees_that_in_its_next_command(bool isTransaction)
    {
        using InProcessServer server = new();
        server.Call("CONFIG", "SET", "import-mode", "yes");
        server.Call("CLIENT", "IMPORT-SOURCE", "ON");
        server.Call("SET", "k", "v", "PX", "1");
        server.Clock.Advance(TimeSpan.FromSeconds(1));
        server.Client.Send([
            .. InProcessClient.Request(isTransaction ? "MULTI" : "PING"),
            .. InProcessClient.Request("EXISTS", "k"),
            .. InProcessClient.Request("CONFIG", "SET", "import-mode", "no"),
            .. InProcessClient.Request("EXPIREAT", "k", "1"),
            .. InProcessClient.Request("EXISTS", "k"),
            .. InProcessClient.Request(isTransaction ? "EXEC" : "PING"),
        ]);
        Assert.Contains(":1\r\n+OK\r\n:0\r\n:0\r\n", server.Client.Receive(), StringComparison.Ordinal);
    }

    [Fact]
    public void Nothing_is_evicted()
    {
        using InProcessServer server = new();
        server.Call("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
        Assert.Equal(EvictionPolicy.AllKeysLru, server.Store.Eviction.Policy);
        server.Call("CONFIG", "SET", "import-mode", "yes");
        Assert.Equal(EvictionPolicy.NoEviction, server.Store.Eviction.Policy);
        Assert.Contains("allkeys-lru", server.Call("CONFIG", "GET", "maxmemory-policy"), StringComparison.Ordinal);
        server.Call("CONFIG", "SET", "import-mode", "no");
        Assert.Equal(EvictionPolicy.AllKeysLru, server.Store.Eviction.Policy);
    }

    [Fact]
    public void It_is_given_up_with_off_and_reset()
    {
        using InProcessServer server = new();
        Assert.Equal("-ERR Server is not in import mode\r\n", server.Call("CLIENT", "IMPORT-SOURCE", "ON"));
        Assert.Equal("-ERR Server is not in import mode\r\n", server.Call("CLIENT", "IMPORT-SOURCE", "x"));
        Assert.Equal("+OK\r\n", server.Call("CLIENT", "IMPORT-SOURCE", "OFF"));
        server.Call("CONFIG", "SET", "import-mode", "yes");
        Assert.Equal("-ERR syntax error\r\n", server.Call("CLIENT", "IMPORT-SOURCE", "x"));
        foreach (
            string[] end in (string[][])
                [
                    ["CLIENT", "IMPORT-SOURCE", "off"],
                    ["RESET"],
                ]
        )
        {
            Assert.Equal("+OK\r\n", server.Call("CLIENT", "IMPORT-SOURCE", "on"));
            server.Call("SET", "a", "1", "PX", "100");
            server.Clock.Advance(TimeSpan.FromSeconds(1));
            Assert.Equal("$1\r\n1\r\n", server.Call("GET", "a"));
            server.Call(end);
            Assert.Equal("$-1\r\n", server.Call("GET", "a"));
        }
    }
}
