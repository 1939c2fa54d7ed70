// rdb_changes_since_last_save, expired_fields, keyspace_hits: a command counts its changes, removals and lookups as Valkey does. Each case
// has its own server.
using System.Globalization;
using Xunit;

namespace Garnet.Server.Tests.Statistics;

public sealed class ChangeCountTests
{
    private static readonly string[] Scene =
    [
        "SET s v",
        "RPUSH l a b c a",
        "SADD set a b c",
        "SADD other c",
        "HSET h f 1 g 2 h 3",
        "HSET ex f 1 g 2",
        "HEXPIREAT ex 99999999999 FIELDS 2 f g",
        "ZADD z 1 a 2 b 3 c",
        "XADD x 1-1 f v",
        "XADD x 2-1 f v",
        "XADD x 3-1 f v",
        "XGROUP CREATE x g 0",
        "XREADGROUP GROUP g c COUNT 2 STREAMS x >",
        "GEOADD geo 1 1 a 1 1.001 b",
    ];

    [Theory]
    [InlineData("SET s w", 1)]
    [InlineData("GET s", 0)]
    [InlineData("MSET a 1 b 2 c 3", 3)]
    [InlineData("MSETEX 2 a 1 b 2 EX 100", 2)]
    [InlineData("DEL s l none", 2)]
    [InlineData("RENAME l s", 1)]
    [InlineData("COPY l copy", 1)]
    [InlineData("BITFIELD s SET u8 0 1 INCRBY u8 8 1", 2)]
    [InlineData("PFADD p a b c", 4)]
    [InlineData("RPUSH l d e f", 3)]
    [InlineData("LPOP l 3", 3)]
    [InlineData("LTRIM l 1 1", 3)]
    [InlineData("LTRIM l 0 -1", 0)]
    [InlineData("LREM l 0 a", 2)]
    [InlineData("LMOVE l to LEFT LEFT", 1)]
    [InlineData("LMPOP 1 l LEFT COUNT 2", 2)]
    [InlineData("SADD set a d e", 2)]
    [InlineData("SREM set a b none", 2)]
    [InlineData("SPOP set 2", 2)]
    [InlineData("SPOP set 9", 3)]
    [InlineData("SMOVE set other a", 2)]
    [InlineData("SMOVE set other c", 1)]
    [InlineData("SUNIONSTORE to set other", 1)]
    [InlineData("HSET h f 1 n 2", 2)]
    [InlineData("HDEL h f g none", 2)]
    [InlineData("HGETDEL h FIELDS 2 f g", 2)]
    [InlineData("HEXPIREAT ex 99999999999 FIELDS 2 f none", 1)]
    [InlineData("HPERSIST ex FIELDS 3 f g none", 2)]
    [InlineData("HSETEX h EX 100 FIELDS 2 f 1 n 2", 2)]
    [InlineData("HGETEX ex PERSIST FIELDS 2 f g", 2)]
    [InlineData("ZADD z 1 a 5 b 6 d", 2)]
    [InlineData("ZREM z a b none", 2)]
    [InlineData("ZPOPMIN z 2", 2)]
    [InlineData("ZREMRANGEBYRANK z 0 1", 2)]
    [InlineData("ZREMRANGEBYSCORE z 2 9", 2)]
    [InlineData("GEOADD geo 1 1 a 2 2 b 3 3 c", 2)]
    [InlineData("GEOSEARCHSTORE to geo FROMLONLAT 1 1 BYRADIUS 100 km", 2)]
    [InlineData("SORT l ALPHA STORE to", 4)]
    [InlineData("XADD x MAXLEN 1 4-1 f v", 1)]
    [InlineData("XDEL x 1-1 2-1 9-9", 2)]
    [InlineData("XTRIM x MAXLEN 1", 2)]
    [InlineData("XACK x g 1-1 2-1 3-1", 2)]
    [InlineData("XREADGROUP GROUP g c STREAMS x >", 1)]
    [InlineData("XREADGROUP GROUP g new STREAMS x >", 2)]
    [InlineData("XCLAIM x g new 0 1-1 2-1", 3)]
    [InlineData("XAUTOCLAIM x g c 0 0", 2)]
    [InlineData("FLUSHALL", 9)]
    public void A_command_counts_what_it_changed(string command, int changes)
    {
        using InProcessServer server = new();
        foreach (string each in Scene)
            server.Call(each.Split(' '));
        long before = Changes(server);
        server.Call(command.Split(' '));
        Assert.Equal(changes, Changes(server) - before);
    }

    // "gone" is a field that has expired and has not been removed yet.
    [Theory]
    [InlineData("HEXPIRE h 0 FIELDS 3 f g none", 2)]
    [InlineData("HPEXPIREAT h 1 FIELDS 1 f", 1)]
    [InlineData("HGETEX h PXAT 1 FIELDS 2 f none", 1)]
    [InlineData("HGETEX h EX 100 FIELDS 1 f", 0)]
    [InlineData("HSETEX h PXAT 1 FIELDS 2 f 1 none 2", 2)]
    [InlineData("HSETEX h FXX EX 100 FIELDS 1 f 1", 0)]
    [InlineData("HDEL h f g", 0)]
    [InlineData("HSET ex gone 1 kept 2", 1)]
    [InlineData("HSETNX ex gone 1", 1)]
    [InlineData("HINCRBY ex gone 1", 1)]
    [InlineData("HINCRBYFLOAT ex gone 1", 1)]
    [InlineData("HSETEX ex KEEPTTL FIELDS 2 gone 1 kept 2", 1)]
    public void An_expired_field_removed_by_a_command_counts_as_expired(string command, int fields)
    {
        using InProcessServer server = new();
        foreach (string each in Scene)
            server.Call(each.Split(' '));
        server.Call("DEBUG", "SET-ACTIVE-EXPIRE", "0");
        server.Call("HSETEX", "ex", "PX", "1", "FIELDS", "1", "gone", "1");
        server.Clock.Advance(TimeSpan.FromMilliseconds(2));
        server.Call(command.Split(' '));
        Assert.Equal(fields, Count(server, "stats", "expired_fields"));
    }

    [Theory]
    [InlineData("XREAD STREAMS x none 0 0", 2, 2)]
    [InlineData("XREAD STREAMS x $", 2, 0)]
    [InlineData("XREADGROUP GROUP g c STREAMS x >", 2, 0)]
    [InlineData("XREADGROUP GROUP none c STREAMS x >", 1, 0)]
    [InlineData("XAUTOCLAIM x g c abc 0", 1, 0)]
    [InlineData("XAUTOCLAIM x g c 0 0", 1, 0)]
    [InlineData("XAUTOCLAIM none g c 0 0", 0, 1)]
    [InlineData("SETRANGE x 0 a", 0, 0)]
    public void A_command_counts_what_it_looks_up(string command, int hits, int misses)
    {
        using InProcessServer server = new();
        foreach (string each in Scene)
            server.Call(each.Split(' '));
        server.Call("CONFIG", "RESETSTAT");
        server.Call(command.Split(' '));
        Assert.Equal((hits, misses), (Count(server, "stats", "keyspace_hits"), Count(server, "stats", "keyspace_misses")));
    }

    // Two for the lookups before the wait, two for those that find the entry; none in between.
    [Fact]
    public void A_waiting_reader_counts_its_lookups_once_for_the_wait_and_once_for_the_entry()
    {
        using InProcessServer server = new();
        server.Call("XADD", "x", "1-1", "f", "v");
        InProcessClient waiter = server.Connect();
        Assert.Equal("", waiter.Call("XREAD", "BLOCK", "0", "STREAMS", "x", "$"));
        Assert.Equal(2, Count(server, "stats", "keyspace_hits"));
        server.Call("XADD", "x", "2-1", "f", "v");
        Assert.Contains("2-1", Commands.Later.Receive(waiter), StringComparison.Ordinal);
        Assert.Equal(4, Count(server, "stats", "keyspace_hits"));
    }

    // As a separate argument, which the words above cannot contain.
    [Fact]
    public void A_writer_with_nothing_to_write_counts_no_lookup()
    {
        using InProcessServer server = new();
        server.Call("SET", "k", "value");
        Assert.Equal(":5\r\n", server.Call("SETRANGE", "k", "2", ""));
        Assert.Equal(":0\r\n", server.Call("SETRANGE", "none", "2", ""));
        Assert.Equal((0, 0), (Count(server, "stats", "keyspace_hits"), Count(server, "stats", "keyspace_misses")));
        Assert.Equal(1, Count(server, "persistence", "rdb_changes_since_last_save"));
    }

    [Fact]
    public void A_transaction_counts_what_its_commands_changed()
    {
        using InProcessServer server = new();
        server.Call("MULTI");
        server.Call("SADD", "s", "a", "b", "c");
        server.Call("RPUSH", "l", "a", "b");
        server.Call("SET", "k", "v");
        server.Call("GET", "k");
        server.Call("EXEC");
        Assert.Equal(6, Changes(server));
    }

    private static long Changes(InProcessServer server) => Count(server, "persistence", "rdb_changes_since_last_save");

    private static long Count(InProcessServer server, string section, string field) =>
        long.Parse(server.Call("INFO", section).Split($"{field}:")[1].Split('\r')[0], CultureInfo.InvariantCulture);
}
