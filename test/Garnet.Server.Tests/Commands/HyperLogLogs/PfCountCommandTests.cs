// PFCOUNT: single keys with their cache, unions, errors.
using Xunit;
using static Garnet.Server.Tests.Commands.Replies;

namespace Garnet.Server.Tests.Commands.HyperLogLogs;

public sealed class PfCountCommandTests : IDisposable
{
    private readonly InProcessServer _server = new(recordEffects: true);

    public void Dispose() => _server.Dispose();

    private const string Sketch = "HYLL\u0001\0\0\0";
    private const string Runs = "\u0060\u00F3\u0080\u0050\u00B1\u0084\u004B\u00FB\u0080\u0042\u005A";

    [Fact]
    public void PFCOUNT_caches_its_estimate_in_the_key()
    {
        _server.Call("PFADD", "k", "a", "b", "c");
        Assert.Equal(Bulk(Sketch + "\0\0\0\0\0\0\0\u0080" + Runs), _server.Call("GET", "k"));
        _server.Effects.Take();
        Assert.Equal(Integer(3), _server.Call("PFCOUNT", "k"));
        Assert.Equal(Bulk(Sketch + "\u0003\0\0\0\0\0\0\0" + Runs), _server.Call("GET", "k"));
        Assert.Equal(["PFCOUNT k"], _server.Effects.Take());
        Assert.Equal(Integer(3), _server.Call("PFCOUNT", "k"));
        Assert.Empty(_server.Effects.Take());
    }

    [Fact]
    public void The_cached_estimate_is_used()
    {
        _server.Call("SET", "k", Sketch + "\u0039\u0005\0\0\0\0\0\0" + Runs);
        Assert.Equal(Integer(1337), _server.Call("PFCOUNT", "k"));
        Assert.Equal(Integer(3), _server.Call("PFCOUNT", "k", "k"));
    }

    [Fact]
    public void PFCOUNT_of_several_keys_counts_their_union()
    {
        Assert.Equal(Integer(0), _server.Call("PFCOUNT", "missing"));
        Assert.Equal(Integer(0), _server.Call("PFCOUNT", "missing", "also"));
        _server.Call("PFADD", "a", "1", "2", "3");
        _server.Call("PFADD", "b", "3", "4");
        _server.Call("PFDEBUG", "TODENSE", "b");
        Assert.Equal(Integer(4), _server.Call("PFCOUNT", "a", "b", "missing"));
        _server.PutOtherType("l");
        Assert.Equal(WrongType, _server.Call("PFCOUNT", "l"));
        Assert.Equal(WrongType, _server.Call("PFCOUNT", "a", "l"));
    }

    [Fact]
    public void Registers_that_no_hash_produces_do_no_harm()
    {
        _server.Call("SET", "k", "HYLL\0\0\0\0\0\0\0\0\0\0\0\u0080" + new string('\u00FF', 12_288));
        Assert.Equal(Integer(long.MinValue), _server.Call("PFCOUNT", "k"));
    }
}
