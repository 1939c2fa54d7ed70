// TYPE. One thread.
using Garnet.Store;
using Xunit;

namespace Garnet.Server.Tests.Commands.Keys;

public sealed class TypeCommandTests
{
    [Fact]
    public void Names_the_type_or_none()
    {
        using InProcessServer server = new();
        server.Call("SET", "a", "1");
        Assert.Equal("+string\r\n", server.Call("TYPE", "a"));
        Assert.Equal("+none\r\n", server.Call("TYPE", "b"));
    }

    [Theory]
    [InlineData(nameof(RecordType.List), "list")]
    [InlineData(nameof(RecordType.Set), "set")]
    [InlineData(nameof(RecordType.SortedSet), "zset")]
    [InlineData(nameof(RecordType.Hash), "hash")]
    [InlineData(nameof(RecordType.Stream), "stream")]
    public void Every_type_has_its_name(string type, string name)
    {
        using InProcessServer server = new();
        Records.Set(server.Store, "a", Enum.Parse<RecordType>(type), [1, 2, 3]);
        Assert.Equal($"+{name}\r\n", server.Call("TYPE", "a"));
    }
}
