// RANDOMKEY. One thread.
using Xunit;

namespace Garnet.Server.Tests.Commands.Keys;

public sealed class RandomKeyCommandTests
{
    [Fact]
    public void Gives_null_when_there_is_no_key()
    {
        using InProcessServer server = new();
        Assert.Equal("$-1\r\n", server.Call("RANDOMKEY"));
        server.Call("SET", "a", "1");
        server.Call("PEXPIRE", "a", "1");
        server.Clock.Advance(TimeSpan.FromMilliseconds(2));
        Assert.Equal("$-1\r\n", server.Call("RANDOMKEY"));
    }

    [Fact]
    public void Returns_every_key_of_its_database_eventually()
    {
        using InProcessServer server = new();
        HashSet<string> missing = [];
        for (int i = 0; i < 20; i++)
        {
            server.Call("SET", $"k{i}", "1");
            missing.Add($"k{i}");
        }

        server.Call("SELECT", "1");
        for (int i = 0; i < 2000; i++)
            server.Call("SET", $"other{i}", "1");
        server.Call("SELECT", "0");

        // The probability of missing a key in so many draws is 10^-20.
        for (int i = 0; i < 1000; i++)
            missing.Remove(server.Call("RANDOMKEY").Split("\r\n")[1]);
        Assert.Empty(missing);
    }

    [Fact]
    public void Expired_keys_that_are_chosen_are_removed()
    {
        using InProcessServer server = new(recordEffects: true);
        server.Store.Maintenance.RemovesExpired = false;
        for (int i = 0; i < 200; i++)
            server.Call("SET", $"k{i}", "1", "PX", "1");
        server.Clock.Advance(TimeSpan.FromMilliseconds(2));
        server.Effects.Take();
        Assert.Equal(":200\r\n", server.Call("DBSIZE"));
        Assert.Equal("$-1\r\n", server.Call("RANDOMKEY"));
        Assert.Equal(":0\r\n", server.Call("DBSIZE"));
        Assert.Contains("expired_keys:200\r\n", server.Call("INFO", "stats"));
        Assert.Equal(200, server.Effects.Take().Distinct().Count(effect => effect.StartsWith("DEL k", StringComparison.Ordinal)));
    }
}
