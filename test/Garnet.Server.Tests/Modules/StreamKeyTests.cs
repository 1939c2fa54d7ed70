// Streams in commands of modules. Each test has its own server.
using Garnet.Server.Tests.Commands;
using Xunit;

namespace Garnet.Server.Tests.Modules;

public sealed class StreamKeyTests : IDisposable
{
    private readonly InProcessServer _server = new(recordEffects: true, extensions: ModuleServer.With(typeof(Streams)));

    public void Dispose() => _server.Dispose();

    [Fact]
    public void Entries_are_added_and_read()
    {
        long nowMs = _server.NowMs;
        Assert.Equal(Replies.Bulks($"{nowMs}-0")[4..], _server.Call("STR.ADD", "s", "f", "v"));
        Assert.Equal(Replies.Bulks($"{nowMs}-1")[4..], _server.Call("STR.ADD", "s", "f", "w"));
        Assert.Equal([$"XADD s {nowMs}-0 f v more ", $"XADD s {nowMs}-1 f w more "], _server.Effects.Take());
        Assert.Equal(Replies.Bulks($"{nowMs}-0 f=v more=", $"{nowMs}-1 f=w more="), _server.Call("STR.READ", "s"));
        Assert.Equal(Replies.Bulks($"{nowMs}-1 f=w more=", $"{nowMs}-0 f=v more="), _server.Call("STR.READ", "s", "REV"));
        Assert.Equal(":2\r\n", _server.Call("XLEN", "s"));
        Assert.Equal("*0\r\n", _server.Call("STR.READ", "none"));
        Assert.Equal("+OK\r\n", _server.Call("STR.COPY", "s"));
        Assert.EndsWith($"{nowMs}-2 f=v\r\n", _server.Call("STR.READ", "s"), StringComparison.Ordinal);
        Assert.Contains("str.add", _server.Call("ACL", "CAT", "stream"), StringComparison.Ordinal);
    }

    [Fact]
    public void Entries_are_removed_and_trimmed()
    {
        foreach (string id in (string[])["1", "2", "3", "4"])
            _server.Call("STR.AT", "s", id);
        Assert.Equal(":1\r\n", _server.Call("STR.REMOVE", "s", "2"));
        Assert.Equal(":0\r\n", _server.Call("STR.REMOVE", "s", "2"));
        Assert.Equal(":0\r\n", _server.Call("STR.REMOVE", "none", "2"));
        Assert.Equal(":2\r\n", _server.Call("STR.TRIM", "s", "1"));
        Assert.Equal(":0\r\n", _server.Call("STR.TRIM", "none", "1"));
        Assert.Equal(Replies.Bulks("4-0 f=v"), _server.Call("STR.READ", "s"));
        Assert.Equal(":1\r\n", _server.Call("DBSIZE"));
    }

    [Fact]
    public void A_wrong_ID_an_empty_entry_and_another_type_are_errors()
    {
        _server.Call("STR.AT", "s", "5");
        Assert.StartsWith("-ERR ArgumentOutOfRangeException", _server.Call("STR.AT", "s", "5"), StringComparison.Ordinal);
        Assert.StartsWith("-ERR InvalidOperationException", _server.Call("STR.AT", "s", "0"), StringComparison.Ordinal);
        Assert.StartsWith("-ERR InvalidOperationException", _server.Call("STR.AT", "new", "0"), StringComparison.Ordinal);
        _server.Call("SET", "x", "1");
        Assert.StartsWith("-WRONGTYPE", _server.Call("STR.READ", "x"), StringComparison.Ordinal);
        Assert.Equal(":1\r\n", _server.Call("XLEN", "s"));
        Assert.Equal(":0\r\n", _server.Call("EXISTS", "new"));
    }
}
