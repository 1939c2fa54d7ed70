// GETEX: the value comes back, the expiry changes as asked.
using Xunit;
using static Garnet.Server.Tests.Commands.Replies;

namespace Garnet.Server.Tests.Commands.Strings;

public sealed class GetExCommandTests : IDisposable
{
    private readonly InProcessServer server = new(recordEffects: true);

    public void Dispose() => server.Dispose();

    [Fact]
    public void GETEX_without_options_only_reads()
    {
        server.Call("SET", "k", "v", "EX", "10");
        server.Effects.Take();
        Assert.Equal(Bulk("v"), server.Call("GETEX", "k"));
        Assert.Equal(server.NowMs + 10_000, server.ExpiryOf("k"));
        Assert.Empty(server.Effects.Take());
    }

    [Fact]
    public void GETEX_sets_and_removes_the_expiry()
    {
        Assert.Equal(Null, server.Call("GETEX", "k", "EX", "10"));
        server.Call("SET", "k", "v");
        server.Effects.Take();
        Assert.Equal(Bulk("v"), server.Call("GETEX", "k", "PX", "10"));
        Assert.Equal(server.NowMs + 10, server.ExpiryOf("k"));
        Assert.Equal([$"PEXPIREAT k {server.NowMs + 10}"], server.Effects.Take());
        Assert.Equal(Bulk("v"), server.Call("GETEX", "k", "PERSIST"));
        Assert.Equal(["PERSIST k"], server.Effects.Take());
        Assert.Equal(-1, server.ExpiryOf("k"));
        Assert.Equal(Bulk("v"), server.Call("GETEX", "k", "PERSIST"));
        Assert.Empty(server.Effects.Take());
        Assert.Equal(Bulk("v"), server.Call("GETEX", "k", "EXAT", "1"));
        Assert.Equal(["DEL k"], server.Effects.Take());
        Assert.Equal(-2, server.ExpiryOf("k"));
    }

    [Theory]
    [InlineData("EX")]
    [InlineData("KEEPTTL")]
    [InlineData("NX")]
    [InlineData("PERSIST EX 10")]
    [InlineData("EX 10 PERSIST")]
    public void Options_of_other_commands_are_a_syntax_error(string options) =>
        Assert.Equal(Syntax, server.Call(["GETEX", "k", .. options.Split(' ')]));

    [Fact]
    public void GETEX_checks_its_expiry_before_the_key()
    {
        server.PutOtherType("l");
        Assert.Equal("-ERR invalid expire time in 'getex' command\r\n", server.Call("GETEX", "l", "EX", "0"));
        Assert.Equal(WrongType, server.Call("GETEX", "l", "EX", "1"));
    }
}
