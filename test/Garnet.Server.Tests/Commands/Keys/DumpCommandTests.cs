// DUMP. One thread.
using Xunit;

namespace Garnet.Server.Tests.Commands.Keys;

public sealed class DumpCommandTests
{
    [Fact]
    public void A_missing_key_has_no_payload()
    {
        using InProcessServer server = new();
        Assert.Equal("$-1\r\n", server.Call("DUMP", "k"));
    }

    [Fact]
    public void A_small_string_is_dumped_as_Redis_7_dumps_it()
    {
        using InProcessServer server = new();
        server.Call("SET", "k", "10");
        Assert.Equal("00C00A0A006E9F57450EAE63BB", Convert.ToHexString(Dumps.Of(server, "k")));
    }

    [Fact]
    public void A_stream_s_consumers_are_as_active_as_before()
    {
        using InProcessServer server = new();
        server.Call("XADD", "s", "1-1", "f", "v");
        server.Call("XGROUP", "CREATE", "s", "g", "0");
        server.Call("XREADGROUP", "GROUP", "g", "active", "STREAMS", "s", ">");
        Assert.Equal(19, Dumps.Of(server, "s")[0]);
        server.Call("XGROUP", "CREATECONSUMER", "s", "g", "idle");
        server.Clock.Advance(TimeSpan.FromMilliseconds(300));
        server.Call("XREADGROUP", "GROUP", "g", "active", "STREAMS", "s", ">");
        server.Clock.Advance(TimeSpan.FromMilliseconds(200));
        byte[] payload = Dumps.Of(server, "s");
        Assert.Equal(21, payload[0]);
        Assert.Equal(Replies.Ok, server.Call("RESTORE", "copy", "0", Dumps.Text(payload)));
        string consumers = server.Call("XINFO", "CONSUMERS", "copy", "g");
        Assert.Equal(server.Call("XINFO", "CONSUMERS", "s", "g"), consumers);
        Assert.Contains("idle\r\n:200\r\n$8\r\ninactive\r\n:500\r\n", consumers);
        Assert.Contains("idle\r\n:500\r\n$8\r\ninactive\r\n:-1\r\n", consumers);
    }

    [Fact]
    public void Reading_for_a_dump_changes_nothing()
    {
        using InProcessServer server = new(recordEffects: true);
        server.Call("SET", "k", new string('x', 20_000));
        server.Effects.Take();
        Assert.InRange(Dumps.Of(server, "k").Length, 100, 400);
        Assert.Empty(server.Effects.Take());
        Assert.Equal("$20000\r\n", server.Call("GET", "k")[..8]);
    }
}
