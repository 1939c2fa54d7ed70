// Fields with an expiry: conditions, replies, visibility of expired fields. Only the tests advance the clock.
using Xunit;
using static Garnet.Server.Tests.Commands.Replies;

namespace Garnet.Server.Tests.Commands.Hashes;

public sealed class FieldExpiryTests : IDisposable
{
    private const string CountMismatch = "-ERR numfields should be greater than 0 and match the provided number of fields\r\n";
    private readonly InProcessServer _server = new();

    public void Dispose() => _server.Dispose();

    [Fact]
    public void HEXPIRE_replies_for_each_field()
    {
        _server.Call("HSET", "h", "a", "1", "b", "2", "c", "3");
        Assert.Equal(Array(Integer(1), Integer(-2)), _server.Call("HEXPIRE", "h", "100", "FIELDS", "2", "a", "x"));
        Assert.Equal(Array(Integer(100), Integer(-1), Integer(-2)), _server.Call("HTTL", "h", "FIELDS", "3", "a", "b", "x"));
        Assert.Equal(Array(Integer(100_000)), _server.Call("HPTTL", "h", "FIELDS", "1", "a"));
        Assert.Equal(Array(Integer(_server.NowMs + 100_000)), _server.Call("HPEXPIRETIME", "h", "FIELDS", "1", "a"));
        Assert.Equal(Array(Integer((_server.NowMs + 100_500) / 1000)), _server.Call("HEXPIRETIME", "h", "FIELDS", "1", "a"));
        Assert.Equal(Array(Integer(1), Integer(-1), Integer(-2)), _server.Call("HPERSIST", "h", "FIELDS", "3", "a", "b", "x"));
        Assert.Equal(Array(Integer(2), Integer(2)), _server.Call("HEXPIRE", "h", "0", "FIELDS", "2", "a", "b"));
        Assert.Equal(Array(Integer(2)), _server.Call("HPEXPIREAT", "h", "1", "FIELDS", "1", "c"));
        Assert.Equal(Integer(0), _server.Call("EXISTS", "h"));
        Assert.Equal(Array(Integer(-2)), _server.Call("HPEXPIRE", "h", "10", "FIELDS", "1", "c"));
    }

    [Theory]
    [InlineData("NX", 0, 1)]
    [InlineData("XX", 1, 0)]
    [InlineData("GT", 1, 0)]
    [InlineData("LT", 0, 1)]
    public void Conditions_look_at_each_field(string condition, int withExpiry, int without)
    {
        _server.Call("HSET", "h", "a", "1", "b", "2");
        _server.Call("HEXPIRE", "h", "100", "FIELDS", "1", "a");
        Assert.Equal(Array(Integer(withExpiry), Integer(without)), _server.Call("HEXPIRE", "h", "200", condition, "FIELDS", "2", "a", "b"));
    }

    [Theory]
    [InlineData("HEXPIRE h 1 FIELDS 2 a", CountMismatch)]
    [InlineData("HEXPIRE h 1 a b c", CountMismatch)]
    [InlineData("HEXPIRE h 1 FIELDS x a", NotInteger)]
    [InlineData("HEXPIRE h x FIELDS 1 a", NotInteger)]
    [InlineData("HEXPIRE h -1 FIELDS 1 a", "-ERR invalid expire time in 'hexpire' command\r\n")]
    [InlineData("HEXPIRE h 9223372036854775807 FIELDS 1 a", "-ERR invalid expire time in 'hexpire' command\r\n")]
    [InlineData("HPEXPIRE h 9223372036854775807 FIELDS 1 a", "-ERR invalid expire time in 'hpexpire' command\r\n")]
    [InlineData("HEXPIRE h 1 BOGUS FIELDS 1 a", "-ERR Unsupported option BOGUS\r\n")]
    [InlineData("HEXPIRE h 1 GT LT FIELDS 1 a", "-ERR GT and LT options at the same time are not compatible\r\n")]
    [InlineData("HTTL h FIELDS 2 a", Syntax)]
    [InlineData("HTTL h BOGUS 1 a", Syntax)]
    [InlineData("HPERSIST h FIELDS 2 a", CountMismatch)]
    [InlineData("HGETDEL h FIELDS -9223372036854775808 a", CountMismatch)]
    [InlineData("HGETEX h EX FIELDS 1 a", Syntax)]
    [InlineData("HGETEX h EX 1 PERSIST FIELDS 1 a", Syntax)]
    [InlineData("HGETEX h NX FIELDS 1 a", Syntax)]
    [InlineData("HSETEX h FIELDS 2 a 1", CountMismatch)]
    [InlineData("HSETEX h FNX FXX FIELDS 1 a 1", Syntax)]
    [InlineData("HSETEX h KEEPTTL EX 1 FIELDS 1 a 1", Syntax)]
    [InlineData("HSETEX h EX -1 FIELDS 1 a 1", "-ERR invalid expire time in 'hsetex' command\r\n")]
    [InlineData("HSETEX h FIELDS -9223372036854775808 a 1", CountMismatch)]
    public void Invalid_arguments_are_reported(string command, string error)
    {
        _server.Call("HSET", "h", "a", "1");
        Assert.Equal(error, _server.Call(command.Split(' ')));
        Assert.Equal(Bulks("a", "1"), _server.Call("HGETALL", "h"));
    }

    [Fact]
    public void HSETEX_respects_its_conditions()
    {
        Assert.Equal(Integer(0), _server.Call("HSETEX", "h", "XX", "FIELDS", "1", "a", "1"));
        Assert.Equal(Integer(0), _server.Call("HSETEX", "h", "FXX", "FIELDS", "1", "a", "1"));
        Assert.Equal(Integer(1), _server.Call("HSETEX", "h", "NX", "FNX", "EX", "100", "FIELDS", "1", "a", "1"));
        Assert.Equal(Integer(0), _server.Call("HSETEX", "h", "NX", "FIELDS", "1", "a", "2"));
        Assert.Equal(Integer(0), _server.Call("HSETEX", "h", "FNX", "FIELDS", "2", "b", "1", "a", "2"));
        Assert.Equal(Integer(0), _server.Call("HSETEX", "h", "FXX", "FIELDS", "2", "b", "1", "a", "2"));
        Assert.Equal(Integer(1), _server.Call("HSETEX", "h", "KEEPTTL", "FIELDS", "2", "b", "1", "a", "2"));
        Assert.Equal(Array(Integer(100), Integer(-1)), _server.Call("HTTL", "h", "FIELDS", "2", "a", "b"));
        Assert.Equal(Integer(1), _server.Call("HSETEX", "h", "EX", "0", "FIELDS", "2", "a", "1", "x", "2"));
        Assert.Equal(Bulks("b", "1"), _server.Call("HGETALL", "h"));
        Assert.Equal(Integer(1), _server.Call("HSETEX", "new", "PXAT", "1", "FIELDS", "1", "a", "1"));
        Assert.Equal(Integer(0), _server.Call("EXISTS", "new"));
    }

    [Fact]
    public void HGETEX_changes_the_expiry_of_what_it_reads()
    {
        _server.Call("HSET", "h", "a", "1", "b", "2");
        Assert.Equal(Array(Bulk("1"), Null), _server.Call("HGETEX", "h", "EX", "100", "FIELDS", "2", "a", "x"));
        Assert.Equal(Array(Integer(100), Integer(-1)), _server.Call("HTTL", "h", "FIELDS", "2", "a", "b"));
        Assert.Equal(Array(Bulk("1")), _server.Call("HGETEX", "h", "PERSIST", "FIELDS", "1", "a"));
        Assert.Equal(Array(Integer(-1)), _server.Call("HTTL", "h", "FIELDS", "1", "a"));
        Assert.Equal(Array(Bulk("1"), Bulk("2")), _server.Call("HGETEX", "h", "EX", "0", "FIELDS", "2", "a", "b"));
        Assert.Equal(Integer(0), _server.Call("EXISTS", "h"));
        Assert.Equal(Array(Null), _server.Call("HGETEX", "h", "EX", "100", "FIELDS", "1", "a"));
    }

    [Fact]
    public void An_expired_field_is_invisible_until_it_is_removed()
    {
        _server.Call("HSET", "h", "a", "1", "b", "2");
        _server.Call("HPEXPIRE", "h", "10", "FIELDS", "1", "a");
        _server.Clock.Advance(TimeSpan.FromMilliseconds(10));
        Assert.Equal(Bulk("1"), _server.Call("HGET", "h", "a"));
        _server.Clock.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(Null, _server.Call("HGET", "h", "a"));
        Assert.Equal(Array(Null, Bulk("2")), _server.Call("HMGET", "h", "a", "b"));
        Assert.Equal(Integer(0), _server.Call("HEXISTS", "h", "a"));
        Assert.Equal(Integer(0), _server.Call("HSTRLEN", "h", "a"));
        Assert.Equal(Bulks("b", "2"), _server.Call("HGETALL", "h"));
        Assert.Equal(Bulks("b"), _server.Call("HKEYS", "h"));
        Assert.Equal(Bulks("b"), _server.Call("HRANDFIELD", "h", "5"));
        Assert.Equal(Integer(2), _server.Call("HLEN", "h"));
        Assert.Equal(Integer(0), _server.Call("HDEL", "h", "a"));
        Assert.Equal(Array(Integer(-2)), _server.Call("HTTL", "h", "FIELDS", "1", "a"));
        Assert.Equal(Integer(1), _server.Call("HSET", "h", "a", "3"));
        Assert.Equal(Array(Integer(-1)), _server.Call("HTTL", "h", "FIELDS", "1", "a"));
    }

    [Fact]
    public void Increments_keep_the_expiry_of_a_field_but_not_of_an_expired_one()
    {
        _server.Call("HSET", "h", "a", "1");
        _server.Call("HEXPIRE", "h", "10", "FIELDS", "1", "a");
        Assert.Equal(Integer(3), _server.Call("HINCRBY", "h", "a", "2"));
        Assert.Equal(Bulk("3.5"), _server.Call("HINCRBYFLOAT", "h", "a", "0.5"));
        Assert.Equal(Array(Integer(10)), _server.Call("HTTL", "h", "FIELDS", "1", "a"));
        _server.Clock.Advance(TimeSpan.FromSeconds(11));
        Assert.Equal(Integer(2), _server.Call("HINCRBY", "h", "a", "2"));
        Assert.Equal(Array(Integer(-1)), _server.Call("HTTL", "h", "FIELDS", "1", "a"));
    }

    [Fact]
    public void COPY_and_RENAME_keep_field_expiries()
    {
        _server.Call("HSETEX", "h", "EX", "100", "FIELDS", "1", "a", "1");
        _server.Call("COPY", "h", "copy");
        _server.Call("RENAME", "h", "renamed");
        Assert.Equal(Array(Integer(100)), _server.Call("HTTL", "copy", "FIELDS", "1", "a"));
        Assert.Equal(Array(Integer(100)), _server.Call("HTTL", "renamed", "FIELDS", "1", "a"));
        _server.Clock.Advance(TimeSpan.FromSeconds(101));
        Assert.Equal(Null, _server.Call("HGET", "copy", "a"));
    }
}
