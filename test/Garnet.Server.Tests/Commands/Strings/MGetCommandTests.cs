// MGET: one reply per key, null for absent keys and other types.
using Xunit;
using static Garnet.Server.Tests.Commands.Replies;

namespace Garnet.Server.Tests.Commands.Strings;

public sealed class MGetCommandTests : IDisposable
{
    private readonly InProcessServer _server = new(recordEffects: true);

    public void Dispose() => _server.Dispose();

    [Fact]
    public void MGET_gives_null_for_missing_keys_and_other_types()
    {
        _server.Call("SET", "a", "1");
        _server.Call("SET", "b", "");
        _server.PutOtherType("l");
        Assert.Equal(Array(Bulk("1"), Null, Bulk(""), Null, Bulk("1")), _server.Call("MGET", "a", "missing", "b", "l", "a"));
    }

    [Fact]
    public void MGET_takes_many_keys()
    {
        string[] keys = [.. Enumerable.Range(0, 5000).Select(i => $"key:{i}")];
        _server.Call(["MSET", .. keys.SelectMany(key => new[] { key, key + "!" })]);
        Assert.Equal(Bulks([.. keys.Select(key => key + "!")]), _server.Call(["MGET", .. keys]));
    }
}
