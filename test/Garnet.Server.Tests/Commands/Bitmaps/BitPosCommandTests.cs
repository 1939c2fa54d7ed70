// BITPOS: every form of range, compared with a naive search.
using Garnet.Testing;
using Xunit;
using static Garnet.Server.Tests.Commands.Replies;

namespace Garnet.Server.Tests.Commands.Bitmaps;

public sealed class BitPosCommandTests : IDisposable
{
    private readonly InProcessServer _server = new(recordEffects: true);

    public void Dispose() => _server.Dispose();

    [Fact]
    public void BITPOS_agrees_with_a_naive_search()
    {
        int seed = TestSeed.Choose(11);
        Random random = new(seed);
        for (int round = 0; round < 600; round++)
        {
            int bit = random.Next(2);
            byte[] value = new byte[random.Next(0, round % 10 == 0 ? 2000 : 12)];
            value.AsSpan().Fill((byte)(bit == 0 ? 0xFF : 0));
            for (int i = random.Next(3); i > 0 && value.Length > 0; i--)
                value[random.Next(value.Length)] ^= (byte)(1 << random.Next(8));
            _server.Call("SET", "k", string.Concat(value.Select(b => (char)b)));
            bool inBits = random.Next(2) == 0;
            int length = inBits ? value.Length * 8 : value.Length;
            int start = random.Next(-length - 5, length + 5);
            int end = random.Next(-length - 5, length + 5);
            int from = Math.Max(start < 0 ? start + length : start, 0);
            int to = Math.Min(Math.Max(end < 0 ? end + length : end, 0), length - 1);
            int expected = Enumerable
                .Range(0, value.Length * 8)
                .Where(i => (inBits ? i : i / 8) >= from && (inBits ? i : i / 8) <= to && ((value[i / 8] >> (7 - (i % 8))) & 1) == bit)
                .DefaultIfEmpty(-1)
                .First();
            string reply = _server.Call("BITPOS", "k", $"{bit}", $"{start}", $"{end}", inBits ? "BIT" : "BYTE");
            Assert.True(
                Integer(expected) == reply,
                $"seed {seed}, round {round}: {bit} {start} {end} {inBits} of {value.Length} bytes gave {reply}"
            );
        }
    }

    [Fact]
    public void Without_an_end_zeros_follow_the_string()
    {
        _server.Call("SET", "k", "\u00FF\u00FF");
        Assert.Equal(Integer(16), _server.Call("BITPOS", "k", "0"));
        Assert.Equal(Integer(16), _server.Call("BITPOS", "k", "0", "1"));
        Assert.Equal(Integer(-1), _server.Call("BITPOS", "k", "0", "2"));
        Assert.Equal(Integer(-1), _server.Call("BITPOS", "k", "0", "0", "-1"));
        Assert.Equal(Integer(0), _server.Call("BITPOS", "missing", "0", "5", "6"));
        Assert.Equal(Integer(-1), _server.Call("BITPOS", "missing", "1"));
        _server.Call("SET", "k", "");
        Assert.Equal(Integer(-1), _server.Call("BITPOS", "k", "0"));
    }

    [Fact]
    public void BITPOS_checks_its_arguments_before_the_key()
    {
        _server.PutOtherType("l");
        Assert.Equal(NotInteger, _server.Call("BITPOS", "l", "x"));
        Assert.Equal("-ERR The bit argument must be 1 or 0.\r\n", _server.Call("BITPOS", "l", "2"));
        Assert.Equal(Syntax, _server.Call("BITPOS", "l", "0", "0", "1", "z"));
        Assert.Equal(Syntax, _server.Call("BITPOS", "l", "0", "0", "1", "BIT", "x"));
        Assert.Equal(WrongType, _server.Call("BITPOS", "l", "0"));
    }
}
