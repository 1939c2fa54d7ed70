// MSET: all pairs atomically; the last pair of a repeated key wins.
using Xunit;
using static Garnet.Server.Tests.Commands.Replies;

namespace Garnet.Server.Tests.Commands.Strings;

public sealed class MSetCommandTests : IDisposable
{
    private readonly InProcessServer _server = new(recordEffects: true);

    public void Dispose() => _server.Dispose();

    [Fact]
    public void MSET_sets_all_pairs()
    {
        _server.Call("SET", "a", "0", "EX", "10");
        _server.PutOtherType("b");
        _server.Effects.Take();
        Assert.Equal(Ok, _server.Call("MSET", "a", "1", "b", "2", "a", "3"));
        Assert.Equal(["MSET a 1 b 2 a 3"], _server.Effects.Take());
        Assert.Equal(Bulks("3", "2"), _server.Call("MGET", "a", "b"));
        Assert.Equal(-1, _server.ExpiryOf("a"));
    }

    [Fact]
    public void MSET_needs_pairs() =>
        Assert.Equal("-ERR wrong number of arguments for 'mset' command\r\n", _server.Call("MSET", "a", "1", "b"));

    [Fact]
    public void Readers_see_all_of_an_MSET_or_nothing()
    {
        InProcessClient reader = _server.Connect();
        bool stop = false;
        Thread writer = new(() =>
        {
            for (int i = 0; !Volatile.Read(ref stop); i = (i + 1) % 10)
                _server.Call("MSET", "a", $"{i}", "b", $"{i}", "c", $"{i}");
        });
        _server.Call("MSET", "a", "0", "b", "0", "c", "0");
        writer.Start();
        try
        {
            for (int i = 0; i < 3000; i++)
            {
                string reply = reader.Call("MGET", "a", "b", "c");
                string one = reply.Substring(4, 7);
                Assert.Equal($"*3\r\n{one}{one}{one}", reply);
            }
        }
        finally
        {
            Volatile.Write(ref stop, true);
            Assert.True(writer.Join(TimeSpan.FromSeconds(10)));
        }
    }
}
