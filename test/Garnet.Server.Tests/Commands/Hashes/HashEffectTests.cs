// The effects of hash commands: independent of time and chance.
using Xunit;
using static Garnet.Server.Tests.Commands.Replies;

namespace Garnet.Server.Tests.Commands.Hashes;

public sealed class HashEffectTests : IDisposable
{
    private readonly InProcessServer _server = new(recordEffects: true);

    public void Dispose() => _server.Dispose();

    [Theory]
    [InlineData("HSET h a 1", "HSET h a 1")]
    [InlineData("HSETNX h n 1", "HSETNX h n 1")]
    [InlineData("HSETNX h a 1", "")]
    [InlineData("HDEL h a x", "HDEL h a x")]
    [InlineData("HDEL h x", "")]
    [InlineData("HGETDEL h FIELDS 1 a", "HDEL h a")]
    [InlineData("HINCRBY h a 2", "HINCRBY h a 2")]
    [InlineData("HINCRBYFLOAT h a 0.5", "HSET h a 10.5")]
    [InlineData("HEXPIRE h 0 FIELDS 3 a x b", "HDEL h a b")]
    [InlineData("HEXPIRE h 100 FIELDS 1 x", "")]
    [InlineData("HEXPIRE h 100 XX FIELDS 1 a", "")]
    [InlineData("HSETEX h FXX FIELDS 1 x 1", "")]
    [InlineData("HSETEX h XX FIELDS 1 a 2", "HSET h a 2")]
    [InlineData("HSETEX h EX 0 FIELDS 2 a 1 x 2", "HDEL h a")]
    [InlineData("HGETEX h PERSIST FIELDS 1 a", "")]
    [InlineData("HGETEX h EX 0 FIELDS 2 x a", "HDEL h a")]
    [InlineData("HGETEX h FIELDS 1 a", "")]
    public void Effects_of_a_hash_without_expiries(string command, string effect)
    {
        _server.Call("HSET", "h", "a", "10", "b", "2");
        _server.Effects.Take();
        Assert.DoesNotContain("-ERR", _server.Call(command.Split(' ')), StringComparison.Ordinal);
        Assert.Equal(effect.Length == 0 ? [] : [effect], _server.Effects.Take());
    }

    [Theory]
    [InlineData("HEXPIRE h 100 FIELDS 2 a x", "HPEXPIREAT h {100000} FIELDS 2 a x")]
    [InlineData("HPEXPIRE h 100 GT FIELDS 1 t", "")]
    [InlineData("HPEXPIRE h 100 LT FIELDS 1 t", "HPEXPIREAT h {100} LT FIELDS 1 t")]
    [InlineData("HPEXPIREAT h 4102444800123 FIELDS 1 a", "HPEXPIREAT h 4102444800123 FIELDS 1 a")]
    [InlineData("HEXPIREAT h 4102444800 FIELDS 1 a", "HPEXPIREAT h 4102444800000 FIELDS 1 a")]
    [InlineData("HPERSIST h FIELDS 2 t x", "HPERSIST h FIELDS 2 t x")]
    [InlineData("HSETNX h n 1", "HSET h n 1")]
    [InlineData("HINCRBY h a 2", "HSET h a 12")]
    [InlineData("HINCRBY h t 2", "HSETEX h PXAT {50000} FIELDS 1 t 7")]
    [InlineData("HINCRBYFLOAT h t 0.5", "HSETEX h PXAT {50000} FIELDS 1 t 5.5")]
    [InlineData("HSETEX h NX FXX EX 1 FIELDS 1 t 6", "")]
    [InlineData("HSETEX h FXX EX 1 FIELDS 1 t 6", "HSETEX h PXAT {1000} FIELDS 1 t 6")]
    [InlineData("HSETEX h KEEPTTL FIELDS 1 t 6", "HSETEX h KEEPTTL FIELDS 1 t 6")]
    [InlineData("HSETEX h KEEPTTL FIELDS 2 t 6 n 1", "MULTI; HDEL h n; HSETEX h KEEPTTL FIELDS 2 t 6 n 1; EXEC")]
    [InlineData("HGETEX h PX 7 FIELDS 2 x a", "HPEXPIREAT h {7} FIELDS 1 a")]
    [InlineData("HGETEX h PERSIST FIELDS 3 a t x", "HPERSIST h FIELDS 1 t")]
    public void Effects_of_a_hash_with_expiries(string command, string effect)
    {
        _server.Call("HSET", "h", "a", "10", "t", "5");
        _server.Call("HEXPIRE", "h", "50", "FIELDS", "1", "t");
        _server.Effects.Take();
        Assert.DoesNotContain("-ERR", _server.Call(command.Split(' ')), StringComparison.Ordinal);
        foreach (int ms in new[] { 100_000, 50_000, 1000, 100, 7 })
            effect = effect.Replace($"{{{ms}}}", $"{_server.NowMs + ms}", StringComparison.Ordinal);
        Assert.Equal(effect.Length == 0 ? [] : [effect], _server.Effects.Take());
    }

    // A replica, and a replay, do not know that "e" has expired: they are not told to delete it before its owner has, or to copy it.
    [Theory]
    [InlineData("HDEL h a e", "HDEL h a")]
    [InlineData("HDEL h e", "")]
    [InlineData("HDEL h a t", "HDEL h a t")]
    [InlineData("COPY h c", "MULTI; COPY h c; HDEL c e; EXEC")]
    [InlineData("COPY h c DB 3", "MULTI; COPY h c DB 3; SELECT 3; HDEL c e; SELECT 0; EXEC")]
    [InlineData("COPY live c", "COPY live c")]
    public void Effects_of_a_hash_with_an_expired_field(string command, string effect)
    {
        _server.Call("HSET", "h", "a", "10", "e", "5", "t", "1");
        _server.Call("HPEXPIRE", "h", "10", "FIELDS", "1", "e");
        _server.Call("HPEXPIRE", "h", "1000", "FIELDS", "1", "t");
        _server.Call("HSETEX", "live", "PX", "1000", "FIELDS", "1", "t", "1");
        _server.Clock.Advance(TimeSpan.FromMilliseconds(20));
        _server.Effects.Take();
        Assert.StartsWith(effect.Length == 0 ? ":0" : ":", _server.Call(command.Split(' ')), StringComparison.Ordinal);
        Assert.Equal(effect.Length == 0 ? [] : [effect], _server.Effects.Take());
    }

    [Fact]
    public void The_removal_of_an_expired_field_is_propagated()
    {
        _server.Call("HSETEX", "h", "PX", "10", "FIELDS", "1", "a", "1");
        _server.Clock.Advance(TimeSpan.FromMilliseconds(11));
        _server.Effects.Take();
        Assert.Equal(Integer(1), _server.Call("HSETEX", "h", "EX", "0", "FIELDS", "1", "a", "1"));
        Assert.Equal(["HDEL h a"], _server.Effects.Take());
        Assert.Equal(Integer(0), _server.Call("EXISTS", "h"));
    }
}
