// RENAME. One thread.
using Garnet.Store;
using Garnet.Testing;
using Xunit;

namespace Garnet.Server.Tests.Commands.Keys;

public sealed class RenameCommandTests
{
    [Fact]
    public void Moves_value_and_expiry_over_what_was_there()
    {
        using InProcessServer server = new(recordEffects: true);
        server.Call("SET", "a", "1");
        server.Call("PEXPIRE", "a", "1000");
        server.Call("SET", "b", "a longer value");
        server.Effects.Take();
        Assert.Equal("+OK\r\n", server.Call("RENAME", "a", "b"));
        Assert.Equal(["RENAME a b"], server.Effects.Take());
        Assert.Equal("$1\r\n1\r\n", server.Call("GET", "b"));
        Assert.Equal(":1000\r\n", server.Call("PTTL", "b"));
        Assert.Equal(":0\r\n", server.Call("EXISTS", "a"));
        Assert.Equal(":1\r\n", server.Call("DBSIZE"));
    }

    [Fact]
    public void The_expiry_of_the_replaced_key_goes_with_it()
    {
        using InProcessServer server = new();
        server.Call("SET", "a", "1");
        server.Call("SET", "b", "2");
        server.Call("EXPIRE", "b", "10");
        server.Call("RENAME", "a", "b");
        Assert.Equal(":-1\r\n", server.Call("TTL", "b"));
    }

    [Fact]
    public void Needs_the_key_even_under_the_same_name()
    {
        using InProcessServer server = new();
        Assert.Equal("-ERR no such key\r\n", server.Call("RENAME", "a", "b"));
        Assert.Equal("-ERR no such key\r\n", server.Call("RENAME", "a", "a"));
        server.Call("SET", "a", "1");
        Assert.Equal("+OK\r\n", server.Call("RENAME", "a", "a"));
        Assert.Equal("$1\r\n1\r\n", server.Call("GET", "a"));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(20_000)]
    [InlineData(3_000_000)]
    public void Values_of_every_size_are_moved(int length)
    {
        using InProcessServer server = new();
        string value = new('x', length);
        server.Call("SET", "a", value);
        server.Call("SET", "b", new string('y', 20_000));
        server.Call("RENAME", "a", "b");
        Assert.Equal($"${length}\r\n{value}\r\n", server.Call("GET", "b"));
    }

    [Theory]
    [InlineData(nameof(RecordType.List))]
    [InlineData(nameof(RecordType.Hash))]
    public void Types_are_kept(string type)
    {
        using InProcessServer server = new();
        Records.Set(server.Store, "a", Enum.Parse<RecordType>(type), [1, 2, 3]);
        server.Call("SET", "b", "1");
        Assert.Equal("+OK\r\n", server.Call("RENAME", "a", "b"));
        Assert.Equal($"+{type.ToLowerInvariant()}\r\n", server.Call("TYPE", "b"));
    }

    [Fact]
    public void Random_renames_keep_every_value()
    {
        int seed = TestSeed.ChooseAnew();
        Random random = new(seed);
        using InProcessServer server = new();
        Dictionary<string, string> model = [];
        for (int i = 0; i < 5000; i++)
        {
            string from = $"k{random.Next(40)}";
            string to = $"k{random.Next(40)}";
            if (random.Next(3) == 0)
            {
                model[to] = new string((char)('a' + (i % 26)), random.Next(100));
                server.Call("SET", to, model[to]);
                continue;
            }

            string reply = server.Call("RENAME", from, to);
            Assert.True(reply == (model.ContainsKey(from) ? "+OK\r\n" : "-ERR no such key\r\n"), $"seed {seed}, step {i}: {reply}");
            if (model.Remove(from, out string? value))
                model[to] = value;
        }

        foreach ((string key, string value) in model)
            Assert.True(server.Call("GET", key) == $"${value.Length}\r\n{value}\r\n", $"seed {seed}, key {key}");
        Assert.Equal($":{model.Count}\r\n", server.Call("DBSIZE"));
    }
}
