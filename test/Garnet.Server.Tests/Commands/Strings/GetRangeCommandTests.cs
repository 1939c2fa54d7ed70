// GETRANGE: every combination of ends, absent keys, large ranges.
using Xunit;
using static Garnet.Server.Tests.Commands.Replies;

namespace Garnet.Server.Tests.Commands.Strings;

public sealed class GetRangeCommandTests : IDisposable
{
    private readonly InProcessServer _server = new(recordEffects: true);

    public void Dispose() => _server.Dispose();

    [Fact]
    public void GETRANGE_agrees_with_a_naive_computation()
    {
        const string text = "abcdef";
        _server.Call("SET", "k", text);
        for (int start = -9; start <= 9; start++)
        {
            for (int end = -9; end <= 9; end++)
            {
                int from = Math.Max(start < 0 ? text.Length + start : start, 0);
                int to = Math.Min(Math.Max(end < 0 ? text.Length + end : end, 0), text.Length - 1);
                bool crossed = start < 0 && end < 0 && start > end;
                string expected = crossed || from > to ? "" : text[from..(to + 1)];
                Assert.Equal(Bulk(expected), _server.Call("GETRANGE", "k", $"{start}", $"{end}"));
            }
        }
    }

    [Fact]
    public void GETRANGE_handles_extremes()
    {
        Assert.Equal(Bulk(""), _server.Call("GETRANGE", "k", "0", "-1"));
        _server.Call("SET", "k", "abc");
        Assert.Equal(Bulk("abc"), _server.Call("GETRANGE", "k", "-9223372036854775808", "9223372036854775807"));
        Assert.Equal(NotInteger, _server.Call("GETRANGE", "k", "x", "0"));
        Assert.Equal(NotInteger, _server.Call("GETRANGE", "k", "0", "9223372036854775808"));
        _server.PutOtherType("l");
        Assert.Equal(WrongType, _server.Call("GETRANGE", "l", "0", "1"));
        string large = new string('x', 200_000) + "end";
        _server.Call("SET", "k", large);
        Assert.Equal(Bulk(large[1..]), _server.Call("GETRANGE", "k", "1", "-1"));
        Assert.Equal(Bulk("end"), _server.Call("GETRANGE", "k", "-3", "-1"));
    }
}
