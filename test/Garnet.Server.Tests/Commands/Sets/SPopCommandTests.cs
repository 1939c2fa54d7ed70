// SPOP: what is removed, and its effect.
using System.Globalization;
using Xunit;
using static Garnet.Server.Tests.Commands.Replies;

namespace Garnet.Server.Tests.Commands.Sets;

public sealed class SPopCommandTests : IDisposable
{
    private readonly InProcessServer _server = new(recordEffects: true);

    public void Dispose() => _server.Dispose();

    [Fact]
    public void The_effect_names_the_members()
    {
        _server.Call("SADD", "s", "a", "b", "c");
        _server.Effects.Take();
        string popped = _server.Call("SPOP", "s").Split("\r\n")[1];
        Assert.Equal([$"SREM s {popped}"], _server.Effects.Take());
        Assert.Equal(Integer(0), _server.Call("SISMEMBER", "s", popped));
        string one = _server.Call("SPOP", "s", "1").Split("\r\n")[2];
        Assert.Equal([$"SREM s {one}"], _server.Effects.Take());
        Assert.StartsWith("*1\r\n", _server.Call("SPOP", "s", "10"), StringComparison.Ordinal);
        Assert.Equal(["DEL s"], _server.Effects.Take());
        Assert.Equal(Integer(0), _server.Call("EXISTS", "s"));
        Assert.Equal("*0\r\n", _server.Call("SPOP", "s", "1"));
        Assert.Equal(Null, _server.Call("SPOP", "s"));
        Assert.Empty(_server.Effects.Take());
    }

    [Theory]
    [InlineData("m")]
    [InlineData("")]
    public void Many_are_popped_in_effects_of_a_thousand(string prefix)
    {
        _server.Call(["SADD", "s", .. Enumerable.Range(0, 3000).Select(i => $"{prefix}{i}")]);
        _server.Effects.Take();
        string[] popped = [.. _server.Call("SPOP", "s", "2500").Split("\r\n").Skip(1).Where((_, i) => i % 2 == 1)];
        Assert.Equal(2500, popped.Distinct().Count());
        Assert.Equal(Integer(500), _server.Call("SCARD", "s"));
        string[] effects = Assert.Single(_server.Effects.Take()).Split("; ");
        Assert.Equal(["MULTI", "SREM", "SREM", "SREM", "EXEC"], effects.Select(effect => effect.Split(' ')[0]));
        Assert.Equal(
            popped,
            effects.Where(effect => effect.StartsWith("SREM", StringComparison.Ordinal)).SelectMany(effect => effect.Split(' ').Skip(2))
        );
    }

    // If few members remain, Valkey moves them to a new set with the smallest encoding; otherwise a hashtable stays one.
    [Theory]
    [InlineData("m", 600, 590, "listpack")]
    [InlineData("", 600, 500, "listpack")]
    [InlineData("", 600, 499, "hashtable")]
    [InlineData("", 200, 190, "intset")]
    [InlineData("m", 2000, 1700, "hashtable")]
    public void A_set_with_few_remaining_members_becomes_small_again(string prefix, int members, int popped, string encoding)
    {
        _server.Call(["SADD", "s", .. Enumerable.Range(0, members).Select(i => $"{prefix}{i}")]);
        _server.Call("EXPIRE", "s", "100");
        _server.Call("SPOP", "s", popped.ToString(CultureInfo.InvariantCulture));
        Assert.Equal(Bulk(encoding), _server.Call("OBJECT", "ENCODING", "s"));
        Assert.Equal(Integer(members - popped), _server.Call("SCARD", "s"));
        Assert.Equal(Integer(100), _server.Call("TTL", "s"));
        Assert.Contains(
            $"rdb_changes_since_last_save:{members + 1 + popped}\r\n",
            _server.Call("INFO", "persistence"),
            StringComparison.Ordinal
        );
    }

    // In Valkey, popping all members is a union, which looks up the key; popping some is not.
    [Fact]
    public void Only_popping_all_members_counts_as_a_lookup()
    {
        _server.Call("SADD", "s", "a", "b", "c");
        _server.Call("SPOP", "s", "1");
        _server.Call("SPOP", "none", "1");
        Assert.Contains("keyspace_hits:0\r\nkeyspace_misses:0\r\n", _server.Call("INFO", "stats"), StringComparison.Ordinal);
        _server.Call("SPOP", "s", "2");
        Assert.Contains("keyspace_hits:1\r\nkeyspace_misses:0\r\n", _server.Call("INFO", "stats"), StringComparison.Ordinal);
    }

    [Fact]
    public void SMOVE_from_an_absent_key_removes_an_expired_destination()
    {
        _server.Call("SADD", "t", "a");
        _server.Call("PEXPIRE", "t", "1");
        _server.Clock.Advance(TimeSpan.FromMilliseconds(2));
        Assert.Equal(Integer(0), _server.Call("SMOVE", "none", "t", "a"));
        Assert.Contains("expired_keys:1\r\n", _server.Call("INFO", "stats"), StringComparison.Ordinal);
    }
}
