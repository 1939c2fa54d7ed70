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

    // Recorded from Valkey 9.1.2.
    [Theory]
    [InlineData(12, 0, 5, "ASC", "0 3 6 9 10")]
    [InlineData(12, 3, 5, "ASC", "9 10 1 7 4")]
    [InlineData(60, 20, 7, "DESC", "52 1 4 7 10 13 16")]
    public void What_is_equal_is_cut_off_as_by_Valkey(int elements, int first, int count, string order, string expected)
    {
        using InProcessServer server = new();
        for (int i = 0; i < elements; i++)
        {
            server.Call("RPUSH", "l", $"{i}");
            server.Call("SET", $"w{i}", "abc"[i % 3].ToString());
        }

        Assert.Equal(Replies.Bulks(expected.Split(' ')), server.Call("SORT", "l", "BY", "w*", "ALPHA", order, "LIMIT", $"{first}", $"{count}"));
    }
}
