// BITCOUNT: every form of range, compared with a naive count.
using Garnet.Testing;
using Xunit;
using static Garnet.Server.Tests.Commands.Replies;

namespace Garnet.Server.Tests.Commands.Bitmaps;

public sealed class BitCountCommandTests : IDisposable
{
    private readonly InProcessServer _server = new(recordEffects: true);

    public void Dispose() => _server.Dispose();

    [Fact]
    public void BITCOUNT_agrees_with_a_naive_count()
    {
        int seed = TestSeed.Choose(7);
        Random random = new(seed);
        for (int round = 0; round < 400; round++)
        {
            byte[] value = new byte[random.Next(0, round % 10 == 0 ? 5000 : 20)];
            random.NextBytes(value);
            _server.Call("SET", "k", string.Concat(value.Select(b => (char)b)));
            bool inBits = random.Next(2) == 0;
            int length = inBits ? value.Length * 8 : value.Length;
            int start = random.Next(-length - 5, length + 5);
            int end = random.Next(-length - 5, length + 5);
            int from = Math.Max(start < 0 ? start + length : start, 0);
            int to = Math.Min(Math.Max(end < 0 ? end + length : end, 0), length - 1);
            if (start < 0 && end < 0 && start > end)
                to = -1;
            int expected = Enumerable
                .Range(0, value.Length * 8)
                .Count(i => (value[i / 8] & (0x80 >> (i % 8))) != 0 && (inBits ? i : i / 8) >= from && (inBits ? i : i / 8) <= to);
            string reply = _server.Call("BITCOUNT", "k", $"{start}", $"{end}", inBits ? "BIT" : "BYTE");
            Assert.True(
                Integer(expected) == reply,
                $"seed {seed}, round {round}: {start} {end} {inBits} of {value.Length} bytes gave {reply}"
            );
        }
    }

    [Fact]
    public void BITCOUNT_takes_no_range_a_start_or_both_ends()
    {
        _server.Call("SET", "k", "foobar");
        Assert.Equal(Integer(26), _server.Call("BITCOUNT", "k"));
        Assert.Equal(Integer(22), _server.Call("BITCOUNT", "k", "1"));
        Assert.Equal(Integer(6), _server.Call("BITCOUNT", "k", "1", "1"));
        Assert.Equal(Integer(17), _server.Call("BITCOUNT", "k", "5", "30", "bit"));
        Assert.Equal(Integer(0), _server.Call("BITCOUNT", "missing", "0", "-1"));
    }

    [Fact]
    public void BITCOUNT_checks_its_arguments_before_the_key()
    {
        _server.PutOtherType("l");
        Assert.Equal(NotInteger, _server.Call("BITCOUNT", "l", "x", "y", "z"));
        Assert.Equal(Syntax, _server.Call("BITCOUNT", "l", "0", "y", "z"));
        Assert.Equal(NotInteger, _server.Call("BITCOUNT", "l", "0", "y", "BIT"));
        Assert.Equal(Syntax, _server.Call("BITCOUNT", "l", "0", "1", "BIT", "x"));
        Assert.Equal(WrongType, _server.Call("BITCOUNT", "l"));
    }
}
