// The sample that finds hashes by the value of a field. Each test has its own server.
using Garnet.SecondaryIndex;
using Garnet.Server.Tests.Commands;
using Xunit;

namespace Garnet.Server.Tests.Modules;

public sealed class SecondaryIndexTests
{
    private static InProcessServer NewServer() => new(extensions: ModuleServer.With(typeof(SecondaryIndexModule)));

    [Fact]
    public void The_index_follows_the_keys()
    {
        using InProcessServer server = NewServer();
        server.Call("HSET", "user:1", "city", "Kiel");
        server.Call("HSET", "user:2", "city", "Kiel", "name", "x");
        server.Call("HSET", "other:3", "city", "Kiel");
        Expect(server, "Kiel", "user:1", "user:2");
        Assert.Equal(Replies.Bulks("user:1"), server.Call("INDEX.FIND", "Kiel", "LIMIT", "1"));
        server.Call("HSET", "user:1", "city", "Bonn");
        Expect(server, "Kiel", "user:2");
        Expect(server, "Bonn", "user:1");
        server.Call("RENAME", "user:1", "user:9");
        Expect(server, "Bonn", "user:9");
        server.Call("HDEL", "user:9", "city");
        Expect(server, "Bonn");
        server.Call("SET", "user:2", "a string");
        Expect(server, "Kiel");
    }

    [Fact]
    public void Keys_that_expire_or_are_flushed_leave_the_index()
    {
        using InProcessServer server = NewServer();
        server.Call("HSET", "user:1", "city", "Kiel");
        server.Call("HSET", "user:2", "city", "Kiel");
        server.Call("PEXPIRE", "user:1", "100");
        Expect(server, "Kiel", "user:1", "user:2");
        server.Clock.Advance(TimeSpan.FromSeconds(1));
        server.Call("EXISTS", "user:1");
        Expect(server, "Kiel", "user:2");
        server.Call("FLUSHALL");
        Expect(server, "Kiel");
    }

    [Fact]
    public void Bytes_that_are_no_text_are_found()
    {
        using InProcessServer server = NewServer();
        server.Call("HSET", "user:\u00ff\u0000", "city", "\u0080\r\n");
        Expect(server, "\u0080\r\n", "user:\u00ff\u0000");
        server.Call("HSET", "user:", "city", "");
        Expect(server, "", "user:");
        Assert.StartsWith("-ERR LIMIT", server.Call("INDEX.FIND", "x", "LIMIT", "-1"), StringComparison.Ordinal);
    }

    // The index is built when the server is ready.
    [Fact]
    public void Keys_of_a_file_are_found()
    {
        using Persistence.LoggedServer logged = new(extensions: ModuleServer.With(typeof(SecondaryIndexModule)));
        logged.Call("HSET", "user:1", "city", "Kiel");
        logged.Restart();
        Eventually.True(() => logged.Call("INDEX.FIND", "Kiel") == Replies.Bulks("user:1"));
    }

    private static void Expect(InProcessServer server, string value, params string[] keys) =>
        Eventually.Replies(server, keys.Length == 0 ? "*0\r\n" : Replies.Bulks(keys), "INDEX.FIND", value);
}
