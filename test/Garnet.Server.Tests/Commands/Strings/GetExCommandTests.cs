// GETEX: replies with the value and changes the expiry.
using Xunit;
using static Garnet.Server.Tests.Commands.Replies;

namespace Garnet.Server.Tests.Commands.Strings;

public sealed class GetExCommandTests : IDisposable
{
    private readonly InProcessServer _server = new(recordEffects: true);

    public void Dispose() => _server.Dispose();

    [Fact]
    public void GETEX_without_options_only_reads()
    {
        _server.Call("SET", "k", "v", "EX", "10");
        _server.Effects.Take();
        Assert.Equal(Bulk("v"), _server.Call("GETEX", "k"));
        Assert.Equal(_server.NowMs + 10_000, _server.ExpiryOf("k"));
        Assert.Empty(_server.Effects.Take());
    }

    [Fact]
    public void GETEX_sets_and_removes_the_expiry()
    {
        Assert.Equal(Null, _server.Call("GETEX", "k", "EX", "10"));
        _server.Call("SET", "k", "v");
        _server.Effects.Take();
        Assert.Equal(Bulk("v"), _server.Call("GETEX", "k", "PX", "10"));
        Assert.Equal(_server.NowMs + 10, _server.ExpiryOf("k"));
        Assert.Equal([$"PEXPIREAT k {_server.NowMs + 10}"], _server.Effects.Take());
        Assert.Equal(Bulk("v"), _server.Call("GETEX", "k", "PERSIST"));
        Assert.Equal(["PERSIST k"], _server.Effects.Take());
        Assert.Equal(-1, _server.ExpiryOf("k"));
        Assert.Equal(Bulk("v"), _server.Call("GETEX", "k", "PERSIST"));
        Assert.Empty(_server.Effects.Take());
        Assert.Equal(Bulk("v"), _server.Call("GETEX", "k", "EXAT", "1"));
        Assert.Equal(["DEL k"], _server.Effects.Take());
        Assert.Equal(-2, _server.ExpiryOf("k"));
    }

    [Theory]
    [InlineData("EX")]
    [InlineData("KEEPTTL")]
    [InlineData("NX")]
    [InlineData("PERSIST EX 10")]
    [InlineData("EX 10 PERSIST")]
    public void Options_of_other_commands_are_a_syntax_error(string options) =>
        Assert.Equal(Syntax, _server.Call(["GETEX", "k", .. options.Split(' ')]));

    [Fact]
    public void GETEX_checks_its_expiry_before_the_key()
    {
        _server.PutOtherType("l");
        Assert.Equal("-ERR invalid expire time in 'getex' command\r\n", _server.Call("GETEX", "l", "EX", "0"));
        Assert.Equal(WrongType, _server.Call("GETEX", "l", "EX", "1"));
    }
}
