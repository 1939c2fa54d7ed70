// Commands that clients call by another name: what goes to the log, to replicas and to users' rules. One in-process server per test.
using Garnet.Persistence.AppendLog;
using Garnet.Server.Tests.Persistence;
using Xunit;

namespace Garnet.Server.Tests.Sessions;

public sealed class RenamedCommandTests
{
    [Fact]
    public void Effects_have_the_commands_own_names()
    {
        using InProcessServer server = new(Rename, recordEffects: true);
        server.Call("put", "a", "1");
        server.Call("MULTI");
        server.Call("put", "b", "2");
        server.Call("LPUSH", "list", "x");
        server.Call("EXEC");
        server.Call("EVAL", "return redis.call('put', KEYS[1], '3')", "1", "c");
        server.Call("groups", "CREATE", "stream", "g", "$", "MKSTREAM");
        server.Call("take", "list", "0");
        Assert.Equal(
            ["set a 1", "MULTI; set b 2; LPUSH list x; EXEC", "set c 3", "xgroup CREATE stream g $ MKSTREAM", "LPOP list"],
            server.Effects.Take().Select(static text => text.Replace("MULTI; set c 3; EXEC", "set c 3", StringComparison.Ordinal))
        );
    }

    [Fact]
    public void The_log_is_read_whatever_the_names_are_then()
    {
        using LoggedServer server = new(LogSoon);
        server.Client.Call("put", "a", "1");
        server.Client.Call("HSET", "h", "f", "v");
        Assert.StartsWith("-ERR unknown command 'FLUSHALL'", server.Client.Call("FLUSHALL"), StringComparison.Ordinal);
        server.Restart(static options => options.RenamedCommands = new Dictionary<string, string> { ["hset"] = "", ["SET"] = "store" });
        Assert.Equal("$1\r\n1\r\n", server.Client.Call("GET", "a"));
        Assert.Equal("$1\r\nv\r\n", server.Client.Call("HGET", "h", "f"));
        Assert.Equal("+OK\r\n", server.Client.Call("store", "a", "2"));
        Assert.StartsWith("-ERR unknown command 'put'", server.Client.Call("put", "a", "3"), StringComparison.Ordinal);
    }

    [Fact]
    public void A_user_has_rights_by_the_commands_own_names()
    {
        using InProcessServer server = new(Rename);
        Assert.Equal("+OK\r\n", server.Call("ACL", "SETUSER", "app", "on", "nopass", "~*", "+set", "+xgroup|create"));
        Assert.StartsWith(
            "-ERR Error in ACL SETUSER modifier '+put'",
            server.Call("ACL", "SETUSER", "app", "+put"),
            StringComparison.Ordinal
        );
        using InProcessClient client = server.Connect();
        client.Call("AUTH", "app", "x");
        Assert.Equal("+OK\r\n", client.Call("put", "a", "1"));
        Assert.StartsWith("-ERR unknown command 'set'", client.Call("set", "a", "1"), StringComparison.Ordinal);
        Assert.StartsWith("-NOPERM", client.Call("take", "list", "0"), StringComparison.Ordinal);
    }

    [Fact]
    public void A_name_is_compared_as_a_whole_whatever_its_length()
    {
        string longest = new('n', 128);
        string almost = new string('n', 127) + "m";
        using InProcessServer server = new(options =>
            options.RenamedCommands = new Dictionary<string, string>
            {
                ["GET"] = longest,
                ["STRLEN"] = almost,
                ["TYPE"] = "[x-1",
            }
        );
        server.Call("SET", "a", "abc");
        Assert.Equal("$3\r\nabc\r\n", server.Call(longest, "a"));
        Assert.Equal(":3\r\n", server.Call(almost.ToUpperInvariant(), "a"));
        Assert.StartsWith("-ERR unknown command", server.Call(longest + "n", "a"), StringComparison.Ordinal);
        Assert.StartsWith("-ERR unknown command", server.Call("{x-1", "a"), StringComparison.Ordinal);
        Assert.Equal("+string\r\n", server.Call("[X-1", "a"));
    }

    // So that replies do not wait for the disk.
    private static void LogSoon(GarnetOptions options)
    {
        options.AppendFsync = AppendFsync.EverySecond;
        Rename(options);
    }

    private static void Rename(GarnetOptions options) =>
        options.RenamedCommands = new Dictionary<string, string>
        {
            ["SET"] = "put",
            ["flushall"] = "",
            ["XGROUP"] = "groups",
            ["BLPOP"] = "take",
        };
}
