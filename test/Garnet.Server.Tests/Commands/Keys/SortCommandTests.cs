// SORT. One thread.
using Xunit;

namespace Garnet.Server.Tests.Commands.Keys;

public sealed class SortCommandTests
{
    [Fact]
    public void What_is_equal_keeps_its_order_be_it_empty_or_not()
    {
        string[] elements = [.. Enumerable.Range(0, 40).Select(static i => i % 2 == 0 ? "" : $"e{i % 7}")];
        using InProcessServer server = new();
        server.Call(["RPUSH", "l", .. elements]);
        Assert.Equal(Replies.Bulks(elements), server.Call("SORT", "l", "BY", "*->none", "ALPHA"));
        Assert.Equal(Replies.Bulks(elements), server.Call("SORT", "l", "BY", "*->none", "ALPHA", "DESC"));
    }
}
