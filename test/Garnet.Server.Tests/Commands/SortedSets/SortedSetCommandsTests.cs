// The sorted set commands. Each test has its own server.
using Xunit;

namespace Garnet.Server.Tests.Commands.SortedSets;

public sealed class SortedSetCommandsTests
{
    private const string NotFloat = "-ERR value is not a valid float\r\n";
    private const string BadRange = "-ERR min or max is not a float\r\n";
    private const string BadMember = "-ERR min or max not valid string range item\r\n";

    private static InProcessServer Filled(bool recordEffects = false)
    {
        InProcessServer server = new(recordEffects: recordEffects);
        server.Call("ZADD", "z", "1", "a", "2", "b", "2", "c", "inf", "d", "-0.5", "e");
        server.Call("ZADD", "lex", "0", "a", "0", "b", "0", "c", "0", "d");
        return server;
    }

    private static string Sorted(string words) => Replies.Bulks(words.Split(' ', StringSplitOptions.RemoveEmptyEntries));

    [Theory]
    [InlineData("ZUNIONSTORE to 2 large zero WEIGHTS 1 -1 AGGREGATE MIN")]
    [InlineData("ZUNIONSTORE to 2 zero large WEIGHTS -1 1 AGGREGATE MAX")]
    public void A_large_union_keeps_the_sign_of_zero(string command)
    {
        using InProcessServer server = new();
        server.Call(["ZADD", "large", .. Enumerable.Range(1, 200).SelectMany(static i => new[] { "1", $"m{i}" })]);
        server.Call("ZADD", "zero", "0", "o");
        Assert.Equal(":201\r\n", server.Call(command.Split(' ')));
        Assert.Equal("$2\r\n-0\r\n", server.Call("ZSCORE", "to", "o"));
    }

    [Theory]
    [InlineData("ZADD z 1 x", ":1\r\n")]
    [InlineData("ZADD z 9 a 9 x", ":1\r\n")]
    [InlineData("ZADD z CH 9 a 9 x 2 b", ":2\r\n")]
    [InlineData("ZADD z XX CH 9 a 9 x", ":1\r\n")]
    [InlineData("ZADD z NX CH 9 a 9 x", ":1\r\n")]
    [InlineData("ZADD z GT CH 0 a 3 b", ":1\r\n")]
    [InlineData("ZADD z LT CH 0 a 3 b", ":1\r\n")]
    [InlineData("ZADD z INCR 2.5 a", "$3\r\n3.5\r\n")]
    [InlineData("ZADD z XX INCR 2.5 x", "$-1\r\n")]
    [InlineData("ZADD z GT INCR -1 a", "$-1\r\n")]
    [InlineData("ZADD none XX 1 a", ":0\r\n")]
    [InlineData("ZADD z nan a", NotFloat)]
    [InlineData("ZADD z 1 x one a", NotFloat)]
    [InlineData("ZADD z 1 x 2", Replies.Syntax)]
    [InlineData("ZADD z NX XX", Replies.Syntax)]
    [InlineData("ZADD z NX XX 1 a", "-ERR XX and NX options at the same time are not compatible\r\n")]
    [InlineData("ZADD z GT LT 1 a", "-ERR GT, LT, and/or NX options at the same time are not compatible\r\n")]
    [InlineData("ZADD z NX GT 1 a", "-ERR GT, LT, and/or NX options at the same time are not compatible\r\n")]
    [InlineData("ZADD z INCR 1 a 2 b", "-ERR INCR option supports a single increment-element pair\r\n")]
    [InlineData("ZINCRBY z gt a", Replies.Syntax)]
    [InlineData("ZINCRBY z -inf d", "-ERR resulting score is not a number (NaN)\r\n")]
    [InlineData("ZINCRBY z 0.1 a", "$3\r\n1.1\r\n")]
    [InlineData("ZINCRBY none 3 a", "$1\r\n3\r\n")]
    [InlineData("ZREM z a x b", ":2\r\n")]
    [InlineData("ZSCORE z d", "$3\r\ninf\r\n")]
    [InlineData("ZSCORE z x", "$-1\r\n")]
    [InlineData("ZMSCORE none a b", "*2\r\n$-1\r\n$-1\r\n")]
    [InlineData("ZCARD z", ":5\r\n")]
    [InlineData("ZCOUNT z (1 2", ":2\r\n")]
    [InlineData("ZCOUNT z -inf +inf", ":5\r\n")]
    [InlineData("ZCOUNT z 1 x", BadRange)]
    [InlineData("ZCOUNT none nan 1", BadRange)]
    [InlineData("ZLEXCOUNT lex [b (d", ":2\r\n")]
    [InlineData("ZLEXCOUNT lex - +", ":4\r\n")]
    [InlineData("ZLEXCOUNT lex + -", ":0\r\n")]
    [InlineData("ZLEXCOUNT lex b d", BadMember)]
    // If scores differ (the order here is e a b c d), a traversal starts at the first member inside the range and ends at the first
    // outside.
    [InlineData("ZLEXCOUNT z [b (e", ":0\r\n")]
    [InlineData("ZLEXCOUNT z [b +", ":5\r\n")]
    [InlineData("ZLEXCOUNT z - (c", ":0\r\n")]
    [InlineData("ZREVRANGEBYLEX z [e [b", "*3\r\n$1\r\nd\r\n$1\r\nc\r\n$1\r\nb\r\n")]
    [InlineData("ZRANK z a", ":1\r\n")]
    [InlineData("ZREVRANK z a WITHSCORE", "*2\r\n:3\r\n$1\r\n1\r\n")]
    [InlineData("ZRANK z x WITHSCORE", "*-1\r\n")]
    [InlineData("ZRANK z a WITHSCORES", Replies.Syntax)]
    [InlineData("ZRANK z a WITHSCORE x", "-ERR wrong number of arguments for 'zrank' command\r\n")]
    [InlineData("ZRANGE z 0 1 LIMIT 1 2", "-ERR syntax error, LIMIT is only supported in combination with either BYSCORE or BYLEX\r\n")]
    [InlineData("ZRANGE lex - + BYLEX WITHSCORES", "-ERR syntax error, WITHSCORES not supported in combination with BYLEX\r\n")]
    [InlineData("ZRANGE z x 1", Replies.NotInteger)]
    [InlineData("ZRANGE z 1 2 BYSCORE LIMIT 1", Replies.Syntax)]
    [InlineData("ZRANGE z 0 0 WITHSCORES", "*2\r\n$1\r\ne\r\n$4\r\n-0.5\r\n")]
    [InlineData("ZRANGESTORE t z 1 2 WITHSCORES", Replies.Syntax)]
    [InlineData("ZRANGESTORE t none 0 -1", ":0\r\n")]
    [InlineData("ZREMRANGEBYRANK z 0 1", ":2\r\n")]
    [InlineData("ZREMRANGEBYRANK z -9223372036854775808 9223372036854775807", ":5\r\n")]
    [InlineData("ZREMRANGEBYSCORE z (1 2", ":2\r\n")]
    [InlineData("ZREMRANGEBYLEX lex [b [c", ":2\r\n")]
    [InlineData("ZPOPMIN z", "*2\r\n$1\r\ne\r\n$4\r\n-0.5\r\n")]
    [InlineData("ZPOPMAX z 2", "*4\r\n$1\r\nd\r\n$3\r\ninf\r\n$1\r\nc\r\n$1\r\n2\r\n")]
    [InlineData("ZPOPMIN z 0", "*0\r\n")]
    [InlineData("ZPOPMIN none 2", "*0\r\n")]
    [InlineData("ZPOPMIN z -1", "-ERR value is out of range, must be positive\r\n")]
    [InlineData("ZPOPMIN z 1 2", Replies.Syntax)]
    [InlineData("ZMPOP 2 none z MIN", "*2\r\n$1\r\nz\r\n*1\r\n*2\r\n$1\r\ne\r\n$4\r\n-0.5\r\n")]
    [InlineData("ZMPOP 1 none MAX", "*-1\r\n")]
    [InlineData("ZMPOP -1 z MAX", "-ERR numkeys should be greater than 0\r\n")]
    [InlineData("BZPOPMAX none z 0", "*3\r\n$1\r\nz\r\n$1\r\nd\r\n$3\r\ninf\r\n")]
    [InlineData("ZUNION 0 z", "-ERR at least 1 input key is needed for 'zunion' command\r\n")]
    [InlineData("ZUNIONSTORE t 9223372036854775807 z", Replies.Syntax)]
    [InlineData("ZUNION 1 z WEIGHTS x", "-ERR weight value is not a float\r\n")]
    [InlineData("ZUNION 1 z AGGREGATE AVG", Replies.Syntax)]
    [InlineData("ZUNION 1 z AGGREGATE MAX AGGREGATE AVG", Replies.Syntax)]
    [InlineData("ZDIFF 1 z WEIGHTS 1", Replies.Syntax)]
    [InlineData("ZINTERSTORE t 1 z WITHSCORES", Replies.Syntax)]
    [InlineData("ZINTERCARD 2 z lex", ":4\r\n")]
    [InlineData("ZINTERCARD 2 z lex LIMIT 2", ":2\r\n")]
    [InlineData("ZINTERCARD 2 z lex LIMIT -1", "-ERR LIMIT can't be negative\r\n")]
    [InlineData("ZINTERCARD 2 z lex LIMIT", Replies.Syntax)]
    [InlineData("ZRANDMEMBER none", "$-1\r\n")]
    [InlineData("ZRANDMEMBER none 5", "*0\r\n")]
    [InlineData(
        "ZRANDMEMBER z -9223372036854775808",
        "-ERR value is out of range, value must between -9223372036854775807 and 9223372036854775807\r\n"
    )]
    [InlineData("ZRANDMEMBER z -9223372036854775807", "-ERR value is out of range\r\n")]
    [InlineData("ZRANDMEMBER z 9223372036854775807 WITHSCORES", "-ERR value is out of range\r\n")]
    [InlineData("ZSCAN z x", "-ERR invalid cursor\r\n")]
    [InlineData("ZSCAN none 0 BOGUS", "*2\r\n$1\r\n0\r\n*0\r\n")]
    [InlineData("ZSCAN lex 0 MATCH [ab] NOSCORES", "*2\r\n$1\r\n0\r\n*2\r\n$1\r\na\r\n$1\r\nb\r\n")]
    public void Replies_to(string command, string reply)
    {
        using InProcessServer server = Filled();
        Assert.Equal(reply, server.Call(command.Split(' ')));
    }

    [Theory]
    [InlineData("ZRANGE z 0 -1", "e a b c d")]
    [InlineData("ZRANGE z 0 1 REV", "d c")]
    [InlineData("ZREVRANGE z 1 2", "c b")]
    [InlineData("ZRANGE z -9223372036854775808 9223372036854775807", "e a b c d")]
    [InlineData("ZRANGE z (1 +inf BYSCORE", "b c d")]
    [InlineData("ZRANGE z +inf (1 BYSCORE REV LIMIT 1 1", "c")]
    [InlineData("ZRANGEBYSCORE z -inf +inf LIMIT 2 -1", "b c d")]
    [InlineData("ZRANGEBYSCORE z -inf +inf LIMIT -1 2", "")]
    [InlineData("ZREVRANGEBYSCORE z 2 0 LIMIT 0 2", "c b")]
    [InlineData("ZRANGE lex (a + BYLEX", "b c d")]
    [InlineData("ZREVRANGEBYLEX lex + (b", "d c")]
    [InlineData("ZRANGEBYLEX lex [b [c LIMIT 1 5", "c")]
    [InlineData("ZUNION 2 z lex", "e a b c d")]
    [InlineData("ZINTER 2 z lex WEIGHTS 1 2 AGGREGATE MAX", "a b c d")]
    [InlineData("ZDIFF 2 z lex", "e")]
    [InlineData("ZDIFF 2 z z", "")]
    public void Members_come_in_order(string command, string members)
    {
        using InProcessServer server = Filled();
        Assert.Equal(Sorted(members), server.Call(command.Split(' ')));
    }

    [Fact]
    public void Scores_are_weighed_and_aggregated()
    {
        using InProcessServer server = new();
        server.Call("ZADD", "x", "1", "a", "inf", "b");
        server.Call("ZADD", "y", "3", "a", "-inf", "b", "5", "c");
        server.Call("SADD", "s", "a", "c");
        Assert.Equal(":3\r\n", server.Call("ZUNIONSTORE", "t", "3", "x", "y", "s", "WEIGHTS", "2", "1", "10"));
        Assert.Equal(Sorted("b 0 a 15 c 15"), server.Call("ZRANGE", "t", "0", "-1", "WITHSCORES"));
        Assert.Equal(":1\r\n", server.Call("ZINTERSTORE", "t", "3", "x", "y", "s", "AGGREGATE", "MIN"));
        Assert.Equal(Sorted("a 1"), server.Call("ZRANGE", "t", "0", "-1", "WITHSCORES"));
        Assert.Equal(":0\r\n", server.Call("ZDIFFSTORE", "t", "2", "x", "y"));
        Assert.Equal(":0\r\n", server.Call("EXISTS", "t"));
    }

    [Fact]
    public void A_result_may_replace_one_of_its_sources()
    {
        using InProcessServer server = Filled();
        Assert.Equal(":2\r\n", server.Call("ZRANGESTORE", "z", "z", "1", "2"));
        Assert.Equal(Sorted("a 1 b 2"), server.Call("ZRANGE", "z", "0", "-1", "WITHSCORES"));
        Assert.Equal(":2\r\n", server.Call("ZUNIONSTORE", "z", "2", "z", "z"));
        Assert.Equal(Sorted("a 2 b 4"), server.Call("ZRANGE", "z", "0", "-1", "WITHSCORES"));
    }

    [Fact]
    public void RESP3_has_scores_as_doubles_in_pairs()
    {
        using InProcessServer server = Filled();
        InProcessClient client = server.Connect(3);
        Assert.Equal("*2\r\n*2\r\n$1\r\ne\r\n,-0.5\r\n*2\r\n$1\r\na\r\n,1\r\n", client.Call("ZRANGE", "z", "0", "1", "WITHSCORES"));
        Assert.Equal(",inf\r\n", client.Call("ZSCORE", "z", "d"));
        Assert.Equal("*2\r\n:0\r\n,-0.5\r\n", client.Call("ZRANK", "z", "e", "WITHSCORE"));
        Assert.Equal("*2\r\n$1\r\ne\r\n,-0.5\r\n", client.Call("ZPOPMIN", "z"));
        Assert.Equal("*1\r\n*2\r\n$1\r\na\r\n,1\r\n", client.Call("ZPOPMIN", "z", "1"));
        Assert.Equal("*3\r\n$1\r\nz\r\n$1\r\nd\r\n,inf\r\n", client.Call("BZPOPMAX", "z", "0"));
        Assert.Equal("*2\r\n$1\r\nz\r\n*1\r\n*2\r\n$1\r\nb\r\n,2\r\n", client.Call("ZMPOP", "1", "z", "MIN"));
    }

    [Fact]
    public void A_client_that_waits_for_a_member_is_served()
    {
        using InProcessServer server = new(recordEffects: true);
        InProcessClient first = server.Connect();
        InProcessClient second = server.Connect();
        InProcessClient third = server.Connect();
        first.Call("BZPOPMIN", "a", "z", "0");
        second.Call("BLPOP", "z", "0");
        third.Call("BZMPOP", "0", "1", "z", "MAX", "COUNT", "5");
        server.Call("ZADD", "z", "1", "x", "2", "y", "3", "w");
        Assert.Equal("*3\r\n$1\r\nz\r\n$1\r\nx\r\n$1\r\n1\r\n", Later.Receive(first));
        Assert.Equal("*2\r\n$1\r\nz\r\n*2\r\n*2\r\n$1\r\nw\r\n$1\r\n3\r\n*2\r\n$1\r\ny\r\n$1\r\n2\r\n", Later.Receive(third));
        Assert.Equal("", second.Receive());
        Assert.Equal(["ZADD z 1 x 2 y 3 w", "ZPOPMIN z", "ZPOPMAX z 2"], server.Effects.Take());
    }

    [Theory]
    [InlineData("ZADD s 1 a")]
    [InlineData("ZCARD s")]
    [InlineData("ZSCORE s a")]
    [InlineData("ZMSCORE s a")]
    [InlineData("ZRANGE s 0 1")]
    [InlineData("ZRANGESTORE t s 0 1")]
    [InlineData("ZPOPMIN s 0")]
    [InlineData("ZMPOP 2 none s MIN")]
    [InlineData("BZPOPMIN none s 0")]
    [InlineData("ZUNION 2 z s BOGUS")]
    [InlineData("ZINTERCARD 2 z s BOGUS")]
    [InlineData("ZRANDMEMBER s")]
    [InlineData("ZSCAN s 0 BOGUS")]
    [InlineData("ZREMRANGEBYRANK s 0 1")]
    public void Keys_of_other_types_are_refused(string command)
    {
        using InProcessServer server = Filled();
        server.Call("SET", "s", "x");
        Assert.Equal(Replies.WrongType, server.Call(command.Split(' ')));
    }

    [Theory]
    [InlineData("ZADD z INCR 1 a", "ZADD z INCR 1 a")]
    [InlineData("ZADD z NX 1 a", null)]
    [InlineData("ZPOPMAX z 2", "ZPOPMAX z 2")]
    [InlineData("ZMPOP 1 z MIN COUNT 100", "ZPOPMIN z 5")]
    [InlineData("BZMPOP 0 1 z MAX", "ZPOPMAX z 1")]
    [InlineData("ZRANGESTORE none z 5 9", null)]
    [InlineData("ZUNIONSTORE t 1 z", "ZUNIONSTORE t 1 z")]
    public void The_effect_is(string command, string? effect)
    {
        using InProcessServer server = Filled(recordEffects: true);
        server.Effects.Take();
        server.Call(command.Split(' '));
        Assert.Equal(effect is null ? [] : [effect], server.Effects.Take());
    }

    // As in Valkey 9.1.2: a computed zero has a sign, and loses it only in a listpack.
    [Theory]
    [InlineData("ZUNIONSTORE t 1 z", "-0 0 -0")]
    [InlineData("ZUNIONSTORE t 1 z WEIGHTS -1", "0 -0 0")]
    [InlineData("ZINTERSTORE t 2 z z", "-0 0 -0")]
    [InlineData("ZDIFFSTORE t 1 z", "-0 0 -0")]
    [InlineData("ZRANGESTORE t z 0 -1", "-0 0 -0")]
    public void Zeros_keep_their_signs_in_a_result_too_large_for_a_listpack(string command, string scores)
    {
        using InProcessServer server = new();
        server.Call("CONFIG", "SET", "zset-max-listpack-entries", "2");
        server.Call("ZADD", "z", "-0", "a", "0", "b", "-0", "c");
        Assert.Equal(":3\r\n", server.Call(command.Split(' ')));
        Assert.Equal(
            string.Concat(scores.Split(' ').Select(score => $"${score.Length}\r\n{score}\r\n")),
            server.Call("ZMSCORE", "t", "a", "b", "c")[4..]
        );
        server.Call("CONFIG", "SET", "zset-max-listpack-entries", "3");
        server.Call(command.Split(' '));
        Assert.Equal("*3\r\n$1\r\n0\r\n$1\r\n0\r\n$1\r\n0\r\n", server.Call("ZMSCORE", "t", "a", "b", "c"));
    }

    // As in Valkey 9.1.2: infinity times zero counts as zero only for the first operand.
    [Theory]
    [InlineData("ZINTER 2 one two WEIGHTS 0 1 WITHSCORES", "2")]
    [InlineData("ZINTER 2 two one WEIGHTS 1 0 WITHSCORES", "0")]
    [InlineData("ZINTER 2 two one WEIGHTS 1 0 AGGREGATE MIN WITHSCORES", "2")]
    [InlineData("ZUNION 2 two one WEIGHTS 1 0 WITHSCORES", "2")]
    public void Infinity_times_zero_is_zero_where_it_comes_first(string command, string score)
    {
        using InProcessServer server = new();
        server.Call("ZADD", "one", "inf", "a");
        server.Call("ZADD", "two", "2", "a");
        Assert.Equal($"*2\r\n$1\r\na\r\n$1\r\n{score}\r\n", server.Call(command.Split(' ')));
    }

    [Theory]
    [InlineData("ZRANGEBYLEX", "-", "(c", "1", "5", "b")]
    [InlineData("ZRANGEBYLEX", "-", "(c", "2", "5", "")]
    [InlineData("ZRANGEBYLEX", "-", "(c", "3", "1", "aa")]
    [InlineData("ZRANGEBYLEX", "-", "(c", "6", "1", "")]
    [InlineData("ZREVRANGEBYLEX", "+", "[b", "0", "5", "z1 b1")]
    [InlineData("ZREVRANGEBYLEX", "+", "[b", "2", "5", "")]
    [InlineData("ZREVRANGEBYLEX", "+", "[b", "3", "5", "z b")]
    [InlineData("ZREVRANGEBYLEX", "+", "[b", "9223372036854775807", "5", "")]
    [InlineData("ZRANGEBYLEX", "-", "(c", "9223372036854775807", "5", "")]
    public void What_LIMIT_skips_in_a_listpack_is_not_compared(
        string command,
        string start,
        string end,
        string offset,
        string count,
        string expected
    )
    {
        using InProcessServer server = new();
        server.Call("ZADD", "k", "1", "a", "2", "b", "3", "z", "4", "aa", "5", "b1", "6", "z1");
        string[] members = expected.Length == 0 ? [] : expected.Split(' ');
        Assert.Equal(Replies.Bulks(members), server.Call(command, "k", start, end, "LIMIT", offset, count));
    }
}
