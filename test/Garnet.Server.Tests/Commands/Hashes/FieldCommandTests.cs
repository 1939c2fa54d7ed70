// Setting, reading and removing fields: replies in both protocols, errors, encodings. One server per test.
using Xunit;
using static Garnet.Server.Tests.Commands.Replies;

namespace Garnet.Server.Tests.Commands.Hashes;

public sealed class FieldCommandTests : IDisposable
{
    private readonly InProcessServer _server = new();

    public void Dispose() => _server.Dispose();

    [Fact]
    public void HSET_counts_new_fields_and_HMSET_does_not()
    {
        Assert.Equal(Integer(2), _server.Call("HSET", "h", "a", "1", "b", "2", "a", "3"));
        Assert.Equal(Integer(0), _server.Call("HSET", "h", "a", "4"));
        Assert.Equal(Ok, _server.Call("HMSET", "h", "c", "5"));
        Assert.Equal(Bulks("a", "4", "b", "2", "c", "5"), _server.Call("HGETALL", "h"));
        Assert.Equal("-ERR wrong number of arguments for 'hset' command\r\n", _server.Call("HSET", "h", "a", "1", "b"));
        Assert.Equal("-ERR wrong number of arguments for 'hmset' command\r\n", _server.Call("HMSET", "h", "a", "1", "b"));
        Assert.Equal(Integer(0), _server.Call("HSETNX", "h", "a", "9"));
        Assert.Equal(Integer(1), _server.Call("HSETNX", "h", "d", "9"));
    }

    [Fact]
    public void Reads_reply_for_existing_and_missing_fields()
    {
        _server.Call("HSET", "h", "a", "1", "b", "text", "", "");
        _server.Call("HSET", "large", "long", new string('x', 100_000));
        Assert.Equal(Bulk("1"), _server.Call("HGET", "h", "a"));
        Assert.Equal(Bulk(new string('x', 100_000)), _server.Call("HGET", "large", "long"));
        Assert.Equal(Bulk(""), _server.Call("HGET", "h", ""));
        Assert.Equal(Null, _server.Call("HGET", "h", "x"));
        Assert.Equal(Null, _server.Call("HGET", "absent", "b"));
        Assert.Equal(Array(Bulk("1"), Null), _server.Call("HMGET", "h", "a", "x"));
        Assert.Equal(Array(Null), _server.Call("HMGET", "absent", "a"));
        Assert.Equal(Integer(3), _server.Call("HLEN", "h"));
        Assert.Equal(Integer(100_000), _server.Call("HSTRLEN", "large", "long"));
        Assert.Equal(Integer(0), _server.Call("HSTRLEN", "h", "x"));
        Assert.Equal(Integer(1), _server.Call("HEXISTS", "h", ""));
        Assert.Equal(Integer(0), _server.Call("HEXISTS", "h", "x"));
        Assert.Equal(Bulks("a", "b", ""), _server.Call("HKEYS", "h"));
        Assert.Equal(Bulks("1", "text", ""), _server.Call("HVALS", "h"));
    }

    [Fact]
    public void RESP3_has_maps_and_nulls()
    {
        InProcessClient client = _server.Connect(protocolVersion: 3);
        client.Call("HSET", "h", "a", "1");
        Assert.Equal("%1\r\n$1\r\na\r\n$1\r\n1\r\n", client.Call("HGETALL", "h"));
        Assert.Equal("%0\r\n", client.Call("HGETALL", "absent"));
        Assert.Equal("*0\r\n", client.Call("HKEYS", "absent"));
        Assert.Equal("_\r\n", client.Call("HGET", "h", "b"));
        Assert.Equal("*1\r\n*2\r\n$1\r\na\r\n$1\r\n1\r\n", client.Call("HRANDFIELD", "h", "5", "WITHVALUES"));
    }

    [Fact]
    public void The_key_is_removed_with_its_last_field()
    {
        _server.Call("HSET", "h", "a", "1", "b", "2");
        Assert.Equal(Integer(2), _server.Call("HDEL", "h", "a", "b", "c"));
        Assert.Equal(Integer(0), _server.Call("EXISTS", "h"));
        _server.Call("HSET", "h", "a", "1", "b", "2");
        Assert.Equal(Array(Bulk("1"), Null, Null), _server.Call("HGETDEL", "h", "FIELDS", "3", "a", "a", "c"));
        Assert.Equal(Array(Bulk("2")), _server.Call("HGETDEL", "h", "FIELDS", "1", "b"));
        Assert.Equal(Integer(0), _server.Call("EXISTS", "h"));
    }

    [Theory]
    [InlineData("HINCRBY h n 5", ":15\r\n")]
    [InlineData("HINCRBY h n -9223372036854775808", ":-9223372036854775798\r\n")]
    [InlineData("HINCRBY h new 7", ":7\r\n")]
    [InlineData("HINCRBY h max 1", "-ERR increment or decrement would overflow\r\n")]
    [InlineData("HINCRBY h text 1", "-ERR hash value is not an integer\r\n")]
    [InlineData("HINCRBY h n x", "-ERR value is not an integer or out of range\r\n")]
    [InlineData("HINCRBYFLOAT h n 0.1", "$4\r\n10.1\r\n")]
    [InlineData("HINCRBYFLOAT h text 1", "-ERR hash value is not a float\r\n")]
    [InlineData("HINCRBYFLOAT h n x", "-ERR value is not a valid float\r\n")]
    [InlineData("HINCRBYFLOAT h n inf", "-ERR value is NaN or Infinity\r\n")]
    [InlineData("HINCRBYFLOAT h huge 1e4932", "-ERR increment would produce NaN or Infinity\r\n")]
    [InlineData("HINCRBYFLOAT h inf 1", "-ERR increment would produce NaN or Infinity\r\n")]
    public void Increments_add_or_reply_with_an_error(string command, string reply)
    {
        _server.Call("HSET", "h", "n", "10", "max", "9223372036854775807", "text", "abc", "huge", "1e4932", "inf", "inf");
        Assert.Equal(reply, _server.Call(command.Split(' ')));
    }

    [Theory]
    [InlineData("HSET k f v")]
    [InlineData("HSETNX k f v")]
    [InlineData("HMSET k f v")]
    [InlineData("HGET k f")]
    [InlineData("HMGET k f")]
    [InlineData("HGETALL k")]
    [InlineData("HKEYS k")]
    [InlineData("HVALS k")]
    [InlineData("HLEN k")]
    [InlineData("HSTRLEN k f")]
    [InlineData("HEXISTS k f")]
    [InlineData("HDEL k f")]
    [InlineData("HINCRBY k f 1")]
    [InlineData("HINCRBYFLOAT k f 1")]
    [InlineData("HRANDFIELD k")]
    [InlineData("HRANDFIELD k 0")]
    [InlineData("HSCAN k 0 BOGUS")]
    [InlineData("HEXPIRE k 10 FIELDS 1 f")]
    [InlineData("HTTL k FIELDS 1 f")]
    [InlineData("HPERSIST k FIELDS 1 f")]
    [InlineData("HSETEX k EX x FIELDS 1 f v")]
    [InlineData("HGETEX k EX x FIELDS 1 f")]
    [InlineData("HGETDEL k FIELDS 1 f")]
    public void Another_type_is_refused(string command)
    {
        _server.PutOtherType("k");
        Assert.Equal(WrongType, _server.Call(command.Split(' ')));
    }

    [Fact]
    public void The_encoding_follows_the_settings()
    {
        _server.Call("CONFIG", "SET", "hash-max-listpack-entries", "2", "hash-max-listpack-value", "5");
        _server.Call("HSET", "h", "a", "1", "b", "12345");
        Assert.Equal(Bulk("listpack"), _server.Call("OBJECT", "ENCODING", "h"));
        _server.Call("HSET", "h", "c", "1");
        Assert.Equal(Bulk("hashtable"), _server.Call("OBJECT", "ENCODING", "h"));
        _server.Call("HSET", "v", "a", "123456");
        Assert.Equal(Bulk("hashtable"), _server.Call("OBJECT", "ENCODING", "v"));
    }

    [Fact]
    public void A_large_hash_is_listed_and_iterated_completely()
    {
        const int fields = 20_000;
        for (int i = 0; i < fields; i += 100)
            _server.Call(["HSET", "h", .. Enumerable.Range(i, 100).SelectMany(each => new[] { $"field{each}", $"{each}" })]);
        Assert.Equal(Integer(fields), _server.Call("HLEN", "h"));
        string[] all = _server.Call("HKEYS", "h").Split("\r\n");
        Assert.Equal($"*{fields}", all[0]);
        Assert.Equal(fields, all.Where(line => line.StartsWith("field", StringComparison.Ordinal)).Distinct().Count());
        HashSet<string> seen = [];
        string cursor = "0";
        int calls = 0;
        do
        {
            string[] lines = _server.Call("HSCAN", "h", cursor, "COUNT", "100", "NOVALUES").Split("\r\n");
            cursor = lines[2];
            seen.UnionWith(lines.Where(line => line.StartsWith("field", StringComparison.Ordinal)));
            calls++;
        } while (cursor != "0");
        Assert.Equal(fields, seen.Count);
        Assert.InRange(calls, 20, 400);
    }
}
