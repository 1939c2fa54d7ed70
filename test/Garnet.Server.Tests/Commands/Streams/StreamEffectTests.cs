// The effects of stream commands: independent of time and of how entries are stored.
using Xunit;

namespace Garnet.Server.Tests.Commands.Streams;

public sealed class StreamEffectTests : IDisposable
{
    private readonly InProcessServer _server = new(options => options.StreamNodeMaxEntries = 2, recordEffects: true);

    public void Dispose() => _server.Dispose();

    [Theory]
    [InlineData("XADD s * a 1", "XADD s {0}-0 a 1")]
    [InlineData("XADD s 5-* a 1 b 2", "XADD s 5-2 a 1 b 2")]
    [InlineData("XADD s 6-1 a 1", "XADD s 6-1 a 1")]
    [InlineData("XADD s MAXLEN 2 6-1 a 1", "XADD s MAXLEN 2 6-1 a 1")]
    [InlineData("XADD s MAXLEN 2 6-* a 1", "XADD s MAXLEN = 2 6-0 a 1")]
    [InlineData("XADD s MAXLEN ~ 3 LIMIT 100 6-1 a 1", "XADD s MAXLEN = 4 6-1 a 1")]
    [InlineData("XADD s NOMKSTREAM MINID ~ 4 6-1 a 1", "XADD s MINID = 3-1 6-1 a 1")]
    [InlineData("XADD none NOMKSTREAM * a 1", "")]
    [InlineData("XTRIM s MAXLEN ~ 2", "XTRIM s MAXLEN = 3")]
    [InlineData("XTRIM s MAXLEN ~ 4", "")]
    [InlineData("XTRIM s MAXLEN 4", "XTRIM s MAXLEN 4")]
    [InlineData("XTRIM s MINID ~ 4-5", "XTRIM s MINID = 5-1")]
    [InlineData("XTRIM s MINID ~ 9", "XTRIM s MINID = 18446744073709551615-18446744073709551615")]
    [InlineData("XDEL s 1-1 9-9", "XDEL s 1-1 9-9")]
    [InlineData("XDEL s 9-9", "")]
    [InlineData("XACK s g 2-1", "XACK s g 2-1")]
    [InlineData("XACK s g 3-1", "")]
    [InlineData("XSETID s 9-9", "XSETID s 9-9")]
    [InlineData("XGROUP CREATE s h $", "XGROUP CREATE s h $")]
    [InlineData("XGROUP CREATECONSUMER s g c", "")]
    [InlineData("XGROUP DELCONSUMER s g c", "XGROUP DELCONSUMER s g c")]
    [InlineData(
        "XREADGROUP GROUP g d COUNT 2 STREAMS s >",
        "MULTI; XCLAIM s g d 0 3-1 TIME {0} RETRYCOUNT 1 FORCE JUSTID LASTID 3-1; XCLAIM s g d 0 4-1 TIME {0} RETRYCOUNT 1 FORCE JUSTID LASTID 4-1; XGROUP SETID s g 4-1 ENTRIESREAD 4; EXEC"
    )]
    [InlineData(
        "XREADGROUP GROUP g d COUNT 1 NOACK STREAMS s >",
        "MULTI; XGROUP CREATECONSUMER s g d; XGROUP SETID s g 3-1 ENTRIESREAD 3; EXEC"
    )]
    [InlineData("XREADGROUP GROUP g c STREAMS s 0", "")]
    [InlineData("XCLAIM s g d 0 2-1 3-1", "XCLAIM s g d 0 2-1 TIME {0} RETRYCOUNT 2 FORCE JUSTID LASTID 2-1")]
    [InlineData("XCLAIM s g d 0 3-1 FORCE RETRYCOUNT 7 LASTID 4-1", "XCLAIM s g d 0 3-1 TIME {0} RETRYCOUNT 7 FORCE JUSTID LASTID 4-1")]
    [InlineData("XCLAIM s g d 0 3-1 LASTID 4-1", "XGROUP SETID s g 4-1 ENTRIESREAD 2")]
    [InlineData("XAUTOCLAIM s g d 0 - COUNT 1 JUSTID", "XCLAIM s g d 0 1-1 TIME {0} RETRYCOUNT 1 FORCE JUSTID LASTID 2-1")]
    public void Effects_of_a_stream_with_a_group(string command, string effect)
    {
        foreach (string id in new[] { "1-1", "2-1", "3-1", "4-1", "5-1" })
            _server.Call("XADD", "s", id, "a", id);
        _server.Call("XGROUP", "CREATE", "s", "g", "0");
        _server.Call("XREADGROUP", "GROUP", "g", "c", "COUNT", "2", "STREAMS", "s", ">");
        _server.Effects.Take();
        Assert.DoesNotContain("-ERR", _server.Call(command.Split(' ')), StringComparison.Ordinal);
        effect = effect.Replace("{0}", $"{_server.NowMs}", StringComparison.Ordinal);
        Assert.Equal(effect.Length == 0 ? [] : [effect], _server.Effects.Take());
    }

    [Fact]
    public void A_deleted_entry_is_removed_from_the_pending_ones_in_effects_too()
    {
        _server.Call("XADD", "s", "1-1", "a", "1");
        _server.Call("XGROUP", "CREATE", "s", "g", "0");
        _server.Call("XREADGROUP", "GROUP", "g", "c", "STREAMS", "s", ">");
        _server.Call("XDEL", "s", "1-1");
        long delivered = _server.NowMs;
        _server.Clock.Advance(TimeSpan.FromMilliseconds(5));
        _server.Effects.Take();
        Assert.Equal("*3\r\n$3\r\n0-0\r\n*0\r\n*1\r\n$3\r\n1-1\r\n", _server.Call("XAUTOCLAIM", "s", "g", "d", "0", "-"));
        Assert.Equal([$"XCLAIM s g c 0 1-1 TIME {delivered} RETRYCOUNT 1 FORCE JUSTID LASTID 1-1"], _server.Effects.Take());
    }
}
