// DUMP. One thread.
using System.Text;
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
