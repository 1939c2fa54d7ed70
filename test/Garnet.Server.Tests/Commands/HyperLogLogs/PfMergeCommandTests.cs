// PFMERGE: into absent, sparse and dense destinations.
using Xunit;
using static Garnet.Server.Tests.Commands.Replies;

namespace Garnet.Server.Tests.Commands.HyperLogLogs;

public sealed class PfMergeCommandTests : IDisposable
{
    private readonly InProcessServer _server = new(recordEffects: true);

    public void Dispose() => _server.Dispose();

    [Fact]
    public void PFMERGE_merges_into_the_first_key()
    {
        _server.Call("PFADD", "a", "1", "2", "3");
        _server.Call("PFADD", "b", "3", "4");
        _server.Effects.Take();
        Assert.Equal(Ok, _server.Call("PFMERGE", "t", "a", "b", "missing"));
        Assert.Equal(["PFMERGE t a b missing"], _server.Effects.Take());
        Assert.Equal("+sparse\r\n", _server.Call("PFDEBUG", "ENCODING", "t"));
        Assert.Equal(Integer(4), _server.Call("PFCOUNT", "t"));
        _server.Call("PFADD", "c", "5");
        Assert.Equal(Ok, _server.Call("PFMERGE", "t", "c"));
        Assert.Equal(Integer(5), _server.Call("PFCOUNT", "t"));
        Assert.Equal(Ok, _server.Call("PFMERGE", "empty"));
        Assert.Equal(Integer(0), _server.Call("PFCOUNT", "empty"));
    }

    [Fact]
    public void A_dense_source_makes_the_result_dense()
    {
        _server.Call(["PFADD", "a", .. Enumerable.Range(0, 5000).Select(i => $"a{i}")]);
        _server.Call(["PFADD", "b", .. Enumerable.Range(0, 500).Select(i => $"b{i}")]);
        _server.Call(["PFADD", "all", .. Enumerable.Range(0, 5000).Select(i => $"a{i}"), .. Enumerable.Range(0, 500).Select(i => $"b{i}")]);
        Assert.Equal(Ok, _server.Call("PFMERGE", "b", "a"));
        Assert.Equal("+dense\r\n", _server.Call("PFDEBUG", "ENCODING", "b"));
        Assert.Equal(_server.Call("GET", "all"), _server.Call("GET", "b"));
        Assert.Equal(_server.Call("PFCOUNT", "all"), _server.Call("PFCOUNT", "a", "b"));
        Assert.Equal(_server.Call("PFCOUNT", "all"), _server.Call("PFCOUNT", "b"));
    }

    [Fact]
    public void PFMERGE_keeps_the_expiry_and_checks_types()
    {
        _server.Call("PFADD", "a", "1");
        _server.Call("PFADD", "t", "2");
        _server.Call("GETEX", "t", "PX", "5000");
        _server.Call("PFMERGE", "t", "a");
        Assert.Equal(_server.NowMs + 5000, _server.ExpiryOf("t"));
        _server.PutOtherType("l");
        Assert.Equal(WrongType, _server.Call("PFMERGE", "l", "a"));
        Assert.Equal(WrongType, _server.Call("PFMERGE", "a", "l"));
    }
}
