// Pushing, popping, indexing and editing of lists. Each test has its own server.
using Xunit;

namespace Garnet.Server.Tests.Commands.Lists;

public sealed class ListCommandsTests
{
    private const string OutOfRange = "-ERR index out of range\r\n";

    private static string Elements(InProcessServer server, string key) => server.Call("LRANGE", key, "0", "-1");

    [Fact]
    public void Elements_are_pushed_in_the_order_given()
    {
        using InProcessServer server = new();
        Assert.Equal(":2\r\n", server.Call("RPUSH", "k", "a", "b"));
        Assert.Equal(":4\r\n", server.Call("LPUSH", "k", "c", "d"));
        Assert.Equal(Replies.Bulks("d", "c", "a", "b"), Elements(server, "k"));
        Assert.Equal(":0\r\n", server.Call("LPUSHX", "none", "x"));
        Assert.Equal(":0\r\n", server.Call("RPUSHX", "none", "x"));
        Assert.Equal(":0\r\n", server.Call("EXISTS", "none"));
        Assert.Equal(":5\r\n", server.Call("RPUSHX", "k", "e"));
        Assert.Equal(":5\r\n", server.Call("LLEN", "k"));
    }

    [Theory]
    [InlineData("LPOP k", "$1\r\na\r\n")]
    [InlineData("RPOP k", "$1\r\nd\r\n")]
    [InlineData("LPOP k 2", "*2\r\n$1\r\na\r\n$1\r\nb\r\n")]
    [InlineData("RPOP k 2", "*2\r\n$1\r\nd\r\n$1\r\nc\r\n")]
    [InlineData("RPOP k 0", "*0\r\n")]
    [InlineData("LPOP k -1", "-ERR value is out of range, must be positive\r\n")]
    [InlineData("LPOP k x", "-ERR value is out of range, must be positive\r\n")]
    [InlineData("LPOP k -9223372036854775808", "-ERR value is out of range, must be positive\r\n")]
    [InlineData("LPOP k 1 2", "-ERR wrong number of arguments for 'lpop' command\r\n")]
    [InlineData("LPOP none", "$-1\r\n")]
    [InlineData("LPOP none 0", "*-1\r\n")]
    [InlineData("LINDEX k 1", "$1\r\nb\r\n")]
    [InlineData("LINDEX k -1", "$1\r\nd\r\n")]
    [InlineData("LINDEX k 4", "$-1\r\n")]
    [InlineData("LINDEX k -9223372036854775808", "$-1\r\n")]
    [InlineData("LINDEX none x", "$-1\r\n")]
    [InlineData("LINDEX k x", Replies.NotInteger)]
    [InlineData("LRANGE k 1 2", "*2\r\n$1\r\nb\r\n$1\r\nc\r\n")]
    [InlineData("LRANGE k -9223372036854775808 9223372036854775807", "*4\r\n$1\r\na\r\n$1\r\nb\r\n$1\r\nc\r\n$1\r\nd\r\n")]
    [InlineData("LRANGE k 3 1", "*0\r\n")]
    [InlineData("LSET k 9 x", OutOfRange)]
    [InlineData("LSET k -5 x", OutOfRange)]
    [InlineData("LSET none x x", "-ERR no such key\r\n")]
    [InlineData("LINSERT k BEFORE x y", ":-1\r\n")]
    [InlineData("LINSERT none AFTER x y", ":0\r\n")]
    [InlineData("LINSERT none AROUND x y", Replies.Syntax)]
    [InlineData(
        "LREM k -9223372036854775808 a",
        "-ERR value is out of range, value must between -9223372036854775807 and 9223372036854775807\r\n"
    )]
    [InlineData("LREM k -2147483648 a", ":1\r\n")]
    [InlineData("LREM none 0 a", ":0\r\n")]
    [InlineData("LMPOP 0 k LEFT", "-ERR numkeys should be greater than 0\r\n")]
    [InlineData("LMPOP 9223372036854775807 k LEFT", Replies.Syntax)]
    [InlineData("LMPOP 1 k UP", Replies.Syntax)]
    [InlineData("LMPOP 1 k LEFT COUNT 0", "-ERR count should be greater than 0\r\n")]
    [InlineData("LMPOP 1 k LEFT COUNT 1 COUNT 1", Replies.Syntax)]
    [InlineData("LMPOP 2 none k RIGHT COUNT 2", "*2\r\n$1\r\nk\r\n*2\r\n$1\r\nd\r\n$1\r\nc\r\n")]
    [InlineData("LMPOP 1 none LEFT", "*-1\r\n")]
    public void Replies_to(string command, string reply)
    {
        using InProcessServer server = new();
        server.Call("RPUSH", "k", "a", "b", "c", "d");
        Assert.Equal(reply, server.Call(command.Split(' ')));
    }

    [Theory]
    [InlineData("LSET k 1 x", "a x a c a")]
    [InlineData("LSET k -1 x", "a b a c x")]
    [InlineData("LINSERT k before c x", "a b a x c a")]
    [InlineData("LINSERT k AFTER a x", "a x b a c a")]
    [InlineData("LREM k 2 a", "b c a")]
    [InlineData("LREM k -2 a", "a b c")]
    [InlineData("LREM k 0 a", "b c")]
    [InlineData("LTRIM k 1 -2", "b a c")]
    [InlineData("LTRIM k -100 100", "a b a c a")]
    [InlineData("LTRIM k 3 1", "")]
    [InlineData("LTRIM k -9223372036854775808 -9223372036854775808", "")]
    [InlineData("LMOVE k k LEFT RIGHT", "b a c a a")]
    [InlineData("LMOVE k k RIGHT RIGHT", "a b a c a")]
    [InlineData("RPOPLPUSH k other", "a b a c")]
    public void Leaves_these_elements(string command, string elements)
    {
        using InProcessServer server = new();
        server.Call("RPUSH", "k", "a", "b", "a", "c", "a");
        server.Call(command.Split(' '));
        Assert.Equal(Replies.Bulks(elements.Split(' ', StringSplitOptions.RemoveEmptyEntries)), Elements(server, "k"));
        Assert.Equal(elements.Length == 0 ? ":0\r\n" : ":1\r\n", server.Call("EXISTS", "k"));
    }

    [Theory]
    [InlineData("LPOS k a", ":0\r\n")]
    [InlineData("LPOS k a RANK 2", ":2\r\n")]
    [InlineData("LPOS k a RANK -1", ":4\r\n")]
    [InlineData("LPOS k a COUNT 0", "*3\r\n:0\r\n:2\r\n:4\r\n")]
    [InlineData("LPOS k a COUNT 1 RANK -2", "*1\r\n:2\r\n")]
    [InlineData("LPOS k a COUNT 0 MAXLEN 3", "*2\r\n:0\r\n:2\r\n")]
    [InlineData("LPOS k a RANK -1 MAXLEN 1 COUNT 5", "*1\r\n:4\r\n")]
    [InlineData("LPOS k x", "$-1\r\n")]
    [InlineData("LPOS none x COUNT 1", "*0\r\n")]
    [InlineData(
        "LPOS k a RANK 0",
        "-ERR RANK can't be zero: use 1 to start from the first match, 2 from the second ... or use negative to start from the end of the list\r\n"
    )]
    [InlineData(
        "LPOS k a RANK -9223372036854775808",
        "-ERR value is out of range, value must between -9223372036854775807 and 9223372036854775807\r\n"
    )]
    [InlineData("LPOS k a RANK 9223372036854775807", "$-1\r\n")]
    [InlineData("LPOS k a COUNT -1", "-ERR COUNT can't be negative\r\n")]
    [InlineData("LPOS k a MAXLEN -1", "-ERR MAXLEN can't be negative\r\n")]
    [InlineData("LPOS k a COUNT", Replies.Syntax)]
    public void Positions_are_found(string command, string reply)
    {
        using InProcessServer server = new();
        server.Call("RPUSH", "k", "a", "b", "a", "c", "a");
        Assert.Equal(reply, server.Call(command.Split(' ')));
    }

    [Fact]
    public void A_rotated_list_keeps_its_expiry()
    {
        using InProcessServer server = new();
        server.Call("RPUSH", "k", "a");
        server.Call("PEXPIREAT", "k", $"{server.NowMs + 5000}");
        Assert.Equal(Replies.Bulk("a"), server.Call("RPOPLPUSH", "k", "k"));
        Assert.Equal(server.NowMs + 5000, server.ExpiryOf("k"));
    }

    [Theory]
    [InlineData("LPUSH s a")]
    [InlineData("LPUSHX s a")]
    [InlineData("LPOP s")]
    [InlineData("LLEN s")]
    [InlineData("LRANGE s 0 1")]
    [InlineData("LINDEX s x")]
    [InlineData("LSET s x x")]
    [InlineData("LINSERT s BEFORE x y")]
    [InlineData("LREM s 0 x")]
    [InlineData("LTRIM s 0 1")]
    [InlineData("LPOS s x")]
    [InlineData("LMOVE s k LEFT LEFT")]
    [InlineData("LMOVE k s LEFT LEFT")]
    [InlineData("RPOPLPUSH k s")]
    [InlineData("LMPOP 2 none s LEFT")]
    [InlineData("BLPOP none s 0")]
    [InlineData("BLMOVE s k LEFT LEFT 0")]
    [InlineData("BRPOPLPUSH k s 0")]
    [InlineData("BLMPOP 0 1 s LEFT")]
    public void Keys_of_other_types_are_refused(string command)
    {
        using InProcessServer server = new();
        server.Call("SET", "s", "x");
        server.Call("RPUSH", "k", "a");
        Assert.Equal(Replies.WrongType, server.Call(command.Split(' ')));
        Assert.Equal(Replies.Bulks("a"), Elements(server, "k"));
    }

    [Theory]
    [InlineData("BLPOP k x", "-ERR timeout is not a float or out of range\r\n")]
    [InlineData("BLPOP k nan", "-ERR timeout is not a float or out of range\r\n")]
    [InlineData("BLPOP k -1", "-ERR timeout is negative\r\n")]
    [InlineData("BLPOP k -inf", "-ERR timeout is negative\r\n")]
    [InlineData("BLPOP k 1e300", "-ERR timeout is out of range\r\n")]
    [InlineData("BLPOP k inf", "-ERR timeout is out of range\r\n")]
    [InlineData("BLPOP k 9223372036854775", "-ERR timeout is out of range\r\n")]
    [InlineData("BLMOVE k k LEFT UP x", Replies.Syntax)]
    [InlineData("BLMPOP x 1 k LEFT", "-ERR timeout is not a float or out of range\r\n")]
    [InlineData("BLMPOP x 0 k LEFT", "-ERR numkeys should be greater than 0\r\n")]
    public void Wrong_timeouts_are_refused(string command, string error)
    {
        using InProcessServer server = new();
        Assert.Equal(error, server.Call(command.Split(' ')));
    }

    // The text of an integer from a quicklist is not counted.
    [Theory]
    [InlineData(1, "2147483648", "quicklist")]
    [InlineData(9000, "2147483648", "listpack")]
    [InlineData(9000, "x147483648", "quicklist")]
    public void A_moved_element_converts_a_list_as_in_the_reference(int firstBytes, string element, string encoding)
    {
        using InProcessServer server = new();
        server.Call("CONFIG", "SET", "list-max-listpack-size", "-1");
        server.Call("RPUSH", "target", new string('q', 4080));
        server.Call("RPUSH", "source", new string('a', firstBytes), element);
        server.Call("RPOPLPUSH", "source", "target");
        Assert.Equal($"${encoding.Length}\r\n{encoding}\r\n", server.Call("OBJECT", "ENCODING", "target"));
    }

    [Fact]
    public void Inside_a_transaction_nothing_waits()
    {
        using InProcessServer server = new();
        server.Call("MULTI");
        foreach (
            string command in new[]
            {
                "BLPOP k 0",
                "BLMPOP 0 1 k LEFT",
                "BLMOVE k l LEFT LEFT 0",
                "BRPOPLPUSH k l 0",
                "BZPOPMIN k 0",
                "BZMPOP 0 1 k MIN",
            }
        )
        {
            server.Call(command.Split(' '));
        }

        Assert.Equal("*6\r\n*-1\r\n*-1\r\n$-1\r\n$-1\r\n*-1\r\n*-1\r\n", server.Call("EXEC"));
    }

    [Theory]
    [InlineData("LPUSH k b", "LPUSH k b")]
    [InlineData("LMPOP 2 none k LEFT COUNT 9", "LPOP k 2")]
    [InlineData("BRPOP none k 0", "RPOP k")]
    [InlineData("BLMPOP 0 1 k RIGHT", "RPOP k 1")]
    [InlineData("BLMOVE k l left RIGHT 0", "LMOVE k l left RIGHT")]
    [InlineData("BRPOPLPUSH k l 0", "RPOPLPUSH k l")]
    [InlineData("LTRIM k 0 -1", null)]
    [InlineData("LREM k 0 none", null)]
    [InlineData("LPOP k 0", null)]
    public void The_effect_is(string command, string? effect)
    {
        using InProcessServer server = new(recordEffects: true);
        server.Call("RPUSH", "k", "a", "b");
        server.Effects.Take();
        server.Call(command.Split(' '));
        Assert.Equal(effect is null ? [] : [effect], server.Effects.Take());
    }

    [Theory]
    [InlineData("RPUSH k a")]
    [InlineData("LPOP k")]
    [InlineData("LLEN k")]
    [InlineData("LINDEX k 0")]
    [InlineData("LRANGE k 0 3")]
    [InlineData("LMOVE k k LEFT RIGHT")]
    [InlineData("ZADD z 1 a")]
    [InlineData("ZSCORE z a")]
    [InlineData("ZINCRBY z 1 a")]
    [InlineData("ZRANK z a")]
    [InlineData("ZRANGE z 0 -1 WITHSCORES")]
    [InlineData("ZRANGE z -inf +inf BYSCORE LIMIT 0 1")]
    [InlineData("ZCARD z")]
    [Trait("Values", "InMemory")]
    public void A_command_allocates_nothing(string command)
    {
        using InProcessServer server = new();
        server.Call("RPUSH", "k", "a", "b", "c");
        server.Call("ZADD", "z", "1", "b", "2", "c");
        Allocations.AssertNone(server, command);
    }

    [Theory]
    [InlineData("4294967296", Replies.Ok, "x b c")]
    [InlineData("9223372036854775807", Replies.Ok, "a b x")]
    [InlineData("-4294967295", Replies.Ok, "a x c")]
    [InlineData("2147483648", "-ERR index out of range\r\n", "a b c")]
    public void LSET_truncates_a_large_index_to_32_bits(string index, string reply, string left)
    {
        using InProcessServer server = new();
        server.Call("RPUSH", "k", "a", "b", "c");
        Assert.Equal(reply, server.Call("LSET", "k", index, "x"));
        Assert.Equal(Replies.Bulks(left.Split(' ')), server.Call("LRANGE", "k", "0", "-1"));
        Assert.Equal(Replies.Null, server.Call("LINDEX", "k", "4294967296"));
    }

    // As in Valkey, the list is converted for a large element before its absence is noticed.
    [Theory]
    [InlineData("LSET", "7", "-ERR index out of range\r\n")]
    [InlineData("LINSERT", "BEFORE", ":-1\r\n")]
    public void A_large_element_that_is_not_inserted_changes_only_the_encoding(string command, string where, string reply)
    {
        using InProcessServer server = new(recordEffects: true);
        InProcessClient watcher = server.Connect();
        server.Call("RPUSH", "k", "a");
        server.Effects.Take();
        watcher.Call("WATCH", "k");
        string before = Changes(server);
        string large = new('x', 9000);
        Assert.Equal(reply, command == "LSET" ? server.Call(command, "k", where, large) : server.Call(command, "k", where, "none", large));
        Assert.Equal(Replies.Bulk("quicklist"), server.Call("OBJECT", "ENCODING", "k"));
        Assert.Equal(before, Changes(server));
        Assert.Empty(server.Effects.Take());
        watcher.Call("MULTI");
        Assert.Equal("*0\r\n", watcher.Call("EXEC"));
    }

    // With a limit on the number of elements too, an element of more than 8 KiB gets its own node.
    [Fact]
    public void A_list_with_a_large_element_stays_large_where_the_limit_is_a_number()
    {
        using InProcessServer server = new();
        server.Call("CONFIG", "SET", "list-max-listpack-size", "100");
        server.Call("RPUSH", "k", "a");
        server.Call("LSET", "k", "0", new string('x', 9000));
        Assert.Equal(Replies.Bulk("quicklist"), server.Call("OBJECT", "ENCODING", "k"));
        server.Call("LSET", "k", "0", "x");
        Assert.Equal(Replies.Bulk("listpack"), server.Call("OBJECT", "ENCODING", "k"));
    }

    private static string Changes(InProcessServer server) =>
        server
            .Call("INFO", "persistence")
            .Split("\r\n")
            .Single(line => line.StartsWith("rdb_changes_since_last_save", StringComparison.Ordinal));
}
