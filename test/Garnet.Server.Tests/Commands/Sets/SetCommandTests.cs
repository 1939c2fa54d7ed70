// Members of sets: replies in both protocols, errors, encodings. One server per test.
using Xunit;
using static Garnet.Server.Tests.Commands.Replies;

namespace Garnet.Server.Tests.Commands.Sets;

public sealed class SetCommandTests : IDisposable
{
    private readonly InProcessServer _server = new();

    public void Dispose() => _server.Dispose();

    [Fact]
    public void Members_are_added_and_removed()
    {
        Assert.Equal(Integer(2), _server.Call("SADD", "s", "a", "b", "a"));
        Assert.Equal(Integer(1), _server.Call("SISMEMBER", "s", "a"));
        Assert.Equal(Integer(0), _server.Call("SISMEMBER", "absent", "a"));
        Assert.Equal(Array(Integer(1), Integer(0)), _server.Call("SMISMEMBER", "s", "a", "x"));
        Assert.Equal(Bulks("a", "b"), _server.Call("SMEMBERS", "s"));
        Assert.Equal(Integer(2), _server.Call("SCARD", "s"));
        Assert.Equal(Integer(2), _server.Call("SREM", "s", "a", "x", "b", "a"));
        Assert.Equal(Integer(0), _server.Call("EXISTS", "s"));
        Assert.Equal(Integer(0), _server.Call("SREM", "s", "a"));
    }

    [Fact]
    public void RESP3_has_sets()
    {
        InProcessClient client = _server.Connect(protocolVersion: 3);
        client.Call("SADD", "s", "a");
        Assert.Equal("~1\r\n$1\r\na\r\n", client.Call("SMEMBERS", "s"));
        Assert.Equal("~0\r\n", client.Call("SMEMBERS", "absent"));
        Assert.Equal("~1\r\n$1\r\na\r\n", client.Call("SINTER", "s", "s"));
        Assert.Equal("~0\r\n", client.Call("SDIFF", "s", "s"));
        Assert.Equal("*1\r\n$1\r\na\r\n", client.Call("SRANDMEMBER", "s", "5"));
        Assert.Equal("~1\r\n$1\r\na\r\n", client.Call("SPOP", "s", "5"));
        Assert.Equal("~0\r\n", client.Call("SPOP", "s", "5"));
        Assert.Equal("_\r\n", client.Call("SPOP", "s"));
    }

    [Theory]
    [InlineData("SADD s 1 2", "intset")]
    [InlineData("SADD s 1 2 3 4", "listpack")]
    [InlineData("SADD s 1 2 3 4 5", "hashtable")]
    [InlineData("SADD s 1 a", "listpack")]
    [InlineData("SADD s a b c d e", "hashtable")]
    [InlineData("SADD s abcdefg", "hashtable")]
    public void The_encoding_follows_the_settings(string command, string encoding)
    {
        _server.Call("CONFIG", "SET", "set-max-intset-entries", "3", "set-max-listpack-entries", "4", "set-max-listpack-value", "6");
        _server.Call(command.Split(' '));
        Assert.Equal(Bulk(encoding), _server.Call("OBJECT", "ENCODING", "s"));
    }

    [Fact]
    public void SMOVE_moves_once()
    {
        _server.Call("SADD", "from", "a", "b");
        _server.PutOtherType("l");
        Assert.Equal(Integer(1), _server.Call("SMOVE", "from", "to", "a"));
        Assert.Equal(Integer(0), _server.Call("SMOVE", "from", "to", "a"));
        Assert.Equal(Integer(1), _server.Call("SMOVE", "from", "from", "b"));
        Assert.Equal(Integer(0), _server.Call("SMOVE", "absent", "l", "b"));
        Assert.Equal(WrongType, _server.Call("SMOVE", "from", "l", "b"));
        Assert.Equal(WrongType, _server.Call("SMOVE", "l", "from", "b"));
        Assert.Equal(Integer(1), _server.Call("SMOVE", "from", "to", "b"));
        Assert.Equal(Integer(0), _server.Call("EXISTS", "from"));
        Assert.Equal(Bulks("a", "b"), _server.Call("SMEMBERS", "to"));
    }

    [Theory]
    [InlineData("SADD k m")]
    [InlineData("SREM k m")]
    [InlineData("SISMEMBER k m")]
    [InlineData("SMISMEMBER k m")]
    [InlineData("SMEMBERS k")]
    [InlineData("SCARD k")]
    [InlineData("SPOP k")]
    [InlineData("SPOP k 0")]
    [InlineData("SRANDMEMBER k")]
    [InlineData("SRANDMEMBER k 0")]
    [InlineData("SSCAN k 0 BOGUS")]
    [InlineData("SINTER absent k")]
    [InlineData("SUNION absent k")]
    [InlineData("SDIFF absent k")]
    [InlineData("SINTERCARD 2 absent k")]
    [InlineData("SINTERSTORE d absent k")]
    [InlineData("SUNIONSTORE d absent k")]
    [InlineData("SDIFFSTORE d absent k")]
    public void Another_type_is_refused(string command)
    {
        _server.PutOtherType("k");
        Assert.Equal(WrongType, _server.Call(command.Split(' ')));
    }

    [Theory]
    [InlineData("SPOP s -1", "-ERR value is out of range, must be positive\r\n")]
    [InlineData("SPOP s x", "-ERR value is out of range, must be positive\r\n")]
    [InlineData("SPOP s 1 2", Syntax)]
    [InlineData("SRANDMEMBER s x", NotInteger)]
    [InlineData("SRANDMEMBER s 1 2", Syntax)]
    [InlineData(
        "SRANDMEMBER s -9223372036854775808",
        "-ERR value is out of range, value must between -9223372036854775807 and 9223372036854775807\r\n"
    )]
    [InlineData("SRANDMEMBER s -2147483648", "-ERR value is out of range\r\n")]
    [InlineData("SRANDMEMBER s 9223372036854775807", "*2\r\n$1\r\na\r\n$1\r\nb\r\n")]
    [InlineData("SINTERCARD 0 s", "-ERR numkeys should be greater than 0\r\n")]
    [InlineData("SINTERCARD x s", "-ERR numkeys should be greater than 0\r\n")]
    [InlineData("SINTERCARD 9223372036854775807 s", "-ERR Number of keys can't be greater than number of args\r\n")]
    [InlineData("SINTERCARD 1 s LIMIT -1", "-ERR LIMIT can't be negative\r\n")]
    [InlineData("SINTERCARD 1 s LIMIT", Syntax)]
    [InlineData("SINTERCARD 1 s LIMIT 1", ":1\r\n")]
    [InlineData("SINTERCARD 1 s LIMIT 0", ":2\r\n")]
    [InlineData("SSCAN absent 0 BOGUS", "*2\r\n$1\r\n0\r\n*0\r\n")]
    [InlineData("SSCAN s x", "-ERR invalid cursor\r\n")]
    [InlineData("SSCAN s 0 NOVALUES", "-ERR NOVALUES option can only be used in HSCAN\r\n")]
    public void Invalid_arguments_are_reported(string command, string reply)
    {
        _server.Call("SADD", "s", "a", "b");
        Assert.Equal(reply, _server.Call(command.Split(' ')));
    }

    [Fact]
    public void A_large_set_is_listed_and_iterated_completely()
    {
        const int members = 20_000;
        for (int i = 0; i < members; i += 100)
            _server.Call(["SADD", "s", .. Enumerable.Range(i, 100).Select(each => $"member{each}")]);
        Assert.Equal(Integer(members), _server.Call("SCARD", "s"));
        Assert.Equal(members, _server.Call("SMEMBERS", "s").Split("\r\n").Where(line => line.StartsWith('m')).Distinct().Count());
        HashSet<string> seen = [];
        string cursor = "0";
        do
        {
            string[] lines = _server.Call("SSCAN", "s", cursor, "COUNT", "50").Split("\r\n");
            cursor = lines[2];
            seen.UnionWith(lines.Where(line => line.StartsWith('m')));
        } while (cursor != "0");
        Assert.Equal(members, seen.Count);
    }
}
