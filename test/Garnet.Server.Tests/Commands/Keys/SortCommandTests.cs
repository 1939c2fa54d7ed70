// SORT. One thread.
using Xunit;

namespace Garnet.Server.Tests.Commands.Keys;

public sealed class SortCommandTests
{
    [Fact]
    public void Ties_keep_their_order_even_if_empty()
    {
        string[] elements = [.. Enumerable.Range(0, 40).Select(static i => i % 2 == 0 ? "" : $"e{i % 7}")];
        using InProcessServer server = new();
        server.Call(["RPUSH", "l", .. elements]);
        Assert.Equal(Replies.Bulks(elements), server.Call("SORT", "l", "BY", "*->none", "ALPHA"));
        Assert.Equal(Replies.Bulks(elements), server.Call("SORT", "l", "BY", "*->none", "ALPHA", "DESC"));
    }

    // As in Valkey, where patterns and numbers are C strings, but names of keys and fields are not.
    [Theory]
    [InlineData("1 2 3", "GET", "#\0x")]
    [InlineData("3 2 1", "BY", "w*")]
    [InlineData("3 1 2", "BY", "x\0*")]
    [InlineData("", "BY", "*->f", "LIMIT", "0", "0")]
    [InlineData("3 2 1", "BY", "w*->\0")]
    [InlineData("3 2 1", "BY", "h*->f\0g")]
    public void A_zero_byte_ends_what_a_pattern_means(string expected, params string[] options)
    {
        using InProcessServer server = new();
        server.Call("RPUSH", "l", "3", "1", "2");
        server.Call("MSET", "w1", "30\0x", "w2", "20\0", "w3", "10", "w1->\0", "3", "w2->\0", "2", "w3->\0", "1");
        for (int i = 1; i <= 3; i++)
            server.Call("HSET", $"h{i}", "f\0g", $"{4 - i}");
        Assert.Equal(Replies.Bulks(expected.Split(' ', StringSplitOptions.RemoveEmptyEntries)), server.Call(["SORT", "l", .. options]));
    }

    // Recorded from Valkey 9.1.2.
    [Theory]
    [InlineData(12, 0, 5, "ASC", "0 3 6 9 10")]
    [InlineData(12, 3, 5, "ASC", "9 10 1 7 4")]
    [InlineData(60, 20, 7, "DESC", "52 1 4 7 10 13 16")]
    public void Ties_are_cut_off_as_by_Valkey(int elements, int first, int count, string order, string expected)
    {
        using InProcessServer server = new();
        for (int i = 0; i < elements; i++)
        {
            server.Call("RPUSH", "l", $"{i}");
            server.Call("SET", $"w{i}", "abc"[i % 3].ToString());
        }

        Assert.Equal(
            Replies.Bulks(expected.Split(' ')),
            server.Call("SORT", "l", "BY", "w*", "ALPHA", order, "LIMIT", $"{first}", $"{count}")
        );
    }
}
