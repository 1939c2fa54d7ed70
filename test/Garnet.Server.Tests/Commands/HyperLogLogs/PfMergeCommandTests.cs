// PFMERGE: into missing, sparse and dense destinations.
using Xunit;
using static Garnet.Server.Tests.Commands.Replies;

namespace Garnet.Server.Tests.Commands.HyperLogLogs;

public sealed class PfMergeCommandTests : IDisposable
{
    private readonly InProcessServer server = new(recordEffects: true);

    public void Dispose() => server.Dispose();

    [Fact]
    public void PFMERGE_unites_into_the_first_key()
    {
        server.Call("PFADD", "a", "1", "2", "3");
        server.Call("PFADD", "b", "3", "4");
        server.Effects.Take();
        Assert.Equal(Ok, server.Call("PFMERGE", "t", "a", "b", "missing"));
        Assert.Equal(["PFMERGE t a b missing"], server.Effects.Take());
        Assert.Equal("+sparse\r\n", server.Call("PFDEBUG", "ENCODING", "t"));
        Assert.Equal(Integer(4), server.Call("PFCOUNT", "t"));
        server.Call("PFADD", "c", "5");
        Assert.Equal(Ok, server.Call("PFMERGE", "t", "c"));
        Assert.Equal(Integer(5), server.Call("PFCOUNT", "t"));
        Assert.Equal(Ok, server.Call("PFMERGE", "empty"));
        Assert.Equal(Integer(0), server.Call("PFCOUNT", "empty"));
    }

    [Theory]
    [InlineData("ON")]
    [InlineData("OFF")]
    public void A_dense_source_makes_the_result_dense(string vectors)
    {
        server.Call("PFDEBUG", "SIMD", vectors);
        server.Call(["PFADD", "a", .. Enumerable.Range(0, 5000).Select(i => $"a{i}")]);
        server.Call(["PFADD", "b", .. Enumerable.Range(0, 500).Select(i => $"b{i}")]);
        server.Call(["PFADD", "all", .. Enumerable.Range(0, 5000).Select(i => $"a{i}"), .. Enumerable.Range(0, 500).Select(i => $"b{i}")]);
        Assert.Equal(Ok, server.Call("PFMERGE", "b", "a"));
        Assert.Equal("+dense\r\n", server.Call("PFDEBUG", "ENCODING", "b"));
        Assert.Equal(server.Call("GET", "all"), server.Call("GET", "b"));
        Assert.Equal(server.Call("PFCOUNT", "all"), server.Call("PFCOUNT", "a", "b"));
        Assert.Equal(server.Call("PFCOUNT", "all"), server.Call("PFCOUNT", "b"));
        server.Call("PFDEBUG", "SIMD", "ON");
    }

    [Fact]
    public void PFMERGE_keeps_the_expiry_and_checks_types()
    {
        server.Call("PFADD", "a", "1");
        server.Call("PFADD", "t", "2");
        server.Call("GETEX", "t", "PX", "5000");
        server.Call("PFMERGE", "t", "a");
        Assert.Equal(server.NowMs + 5000, server.ExpiryOf("t"));
        server.PutOtherType("l");
        Assert.Equal(WrongType, server.Call("PFMERGE", "l", "a"));
        Assert.Equal(WrongType, server.Call("PFMERGE", "a", "l"));
    }
}
