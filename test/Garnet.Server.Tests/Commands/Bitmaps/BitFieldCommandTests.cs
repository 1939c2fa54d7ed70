// BITFIELD: integers of every width at every offset, overflow, errors.
using Garnet.Testing;
using Xunit;
using static Garnet.Server.Tests.Commands.Replies;

namespace Garnet.Server.Tests.Commands.Bitmaps;

public sealed class BitFieldCommandTests : IDisposable
{
    private readonly InProcessServer _server = new(recordEffects: true);

    public void Dispose() => _server.Dispose();

    [Fact]
    public void Every_width_and_offset_keeps_its_integer_and_its_neighbours()
    {
        int seed = TestSeed.Choose(17);
        Random random = new(seed);
        byte[] model = new byte[32];
        _server.Call("SETRANGE", "k", "31", "\0");
        for (int round = 0; round < 2000; round++)
        {
            bool signed = random.Next(2) == 0;
            int bits = random.Next(1, signed ? 65 : 64);
            int offset = random.Next(0, (model.Length * 8) - bits);
            long value = random.NextInt64() & (bits == 64 ? -1 : (1L << bits) - 1);
            if (signed)
                value = value << (64 - bits) >> (64 - bits);
            for (int i = 0; i < bits; i++)
            {
                int at = offset + bits - 1 - i;
                byte mask = (byte)(0x80 >> (at % 8));
                model[at / 8] = (byte)(((value >> i) & 1) != 0 ? model[at / 8] | mask : model[at / 8] & ~mask);
            }

            string type = (signed ? "i" : "u") + bits;
            _server.Call("BITFIELD", "k", "SET", type, $"{offset}", $"{value}");
            Assert.True(
                Array(Integer(value)) == _server.Call("BITFIELD", "k", "GET", type, $"{offset}"),
                $"seed {seed}, round {round}: {type} at {offset}"
            );
            Assert.True(
                Bulk(string.Concat(model.Select(b => (char)b))) == _server.Call("GET", "k"),
                $"seed {seed}, round {round}: {type} at {offset}"
            );
        }
    }

    [Fact]
    public void Overflow_wraps_saturates_or_fails()
    {
        Assert.Equal(
            Array(Integer(0), Integer(4), Integer(1)),
            _server.Call("BITFIELD", "k", "SET", "u2", "0", "3", "INCRBY", "i4", "4", "4", "INCRBY", "u2", "0", "2")
        );
        Assert.Equal(
            Array(Integer(3), Null, Integer(3)),
            _server.Call(
                "BITFIELD",
                "k",
                "OVERFLOW",
                "SAT",
                "INCRBY",
                "u2",
                "0",
                "9",
                "OVERFLOW",
                "FAIL",
                "INCRBY",
                "u2",
                "0",
                "1",
                "GET",
                "u2",
                "0"
            )
        );
        Assert.Equal(
            Array(Integer(0), Integer(-128), Integer(127)),
            _server.Call("BITFIELD", "b", "SET", "i8", "0", "127", "INCRBY", "i8", "0", "1", "INCRBY", "i8", "0", "-1")
        );
        Assert.Equal(
            Array(Integer(0), Integer(long.MinValue)),
            _server.Call("BITFIELD", "c", "SET", "i64", "#0", "9223372036854775807", "INCRBY", "i64", "#0", "1")
        );
        Assert.Equal(
            Array(Integer(0), Integer(long.MinValue)),
            _server.Call("BITFIELD", "d", "SET", "i64", "0", "-9223372036854775808", "OVERFLOW", "SAT", "INCRBY", "i64", "0", "-1")
        );
    }

    [Fact]
    public void Offsets_may_be_in_integers_and_beyond_the_string()
    {
        Assert.Equal(Array(Integer(0)), _server.Call("BITFIELD", "k", "SET", "u8", "#2", "65"));
        Assert.Equal(Bulk("\0\0A"), _server.Call("GET", "k"));
        Assert.Equal(
            Array(Integer(65), Integer(0), Integer(0x4100)),
            _server.Call("BITFIELD", "k", "GET", "u8", "16", "GET", "i64", "#100", "GET", "u16", "16")
        );
        Assert.Equal(Array(), _server.Call("BITFIELD", "k"));
        Assert.Equal(Array(Integer(0)), _server.Call("BITFIELD", "missing", "GET", "i5", "3"));
        Assert.Equal(-2, _server.ExpiryOf("missing"));
    }

    [Fact]
    public void Only_what_changes_is_written_to_the_log()
    {
        _server.Call("BITFIELD", "k", "SET", "u8", "0", "0");
        _server.Call("BITFIELD", "k", "SET", "u8", "0", "0");
        _server.Call("BITFIELD", "k", "SET", "u8", "0", "1", "GET", "u8", "0");
        Assert.Equal(["BITFIELD k SET u8 0 0", "BITFIELD k SET u8 0 1 GET u8 0"], _server.Effects.Take());
    }

    [Theory]
    [InlineData("GET u8", Syntax)]
    [InlineData("SET u8 0", Syntax)]
    [InlineData("FOO u8 0", Syntax)]
    [InlineData("OVERFLOW", Syntax)]
    [InlineData("OVERFLOW FOO", "-ERR Invalid OVERFLOW type specified\r\n")]
    [InlineData("GET u64 0", "-ERR Invalid bitfield type. Use something like i16 u8. Note that u64 is not supported but i64 is.\r\n")]
    [InlineData("GET I8 0", "-ERR Invalid bitfield type. Use something like i16 u8. Note that u64 is not supported but i64 is.\r\n")]
    [InlineData("GET i65 0", "-ERR Invalid bitfield type. Use something like i16 u8. Note that u64 is not supported but i64 is.\r\n")]
    [InlineData("GET u8 -1", "-ERR bit offset is not an integer or out of range\r\n")]
    [InlineData("GET u8 #536870912", "-ERR bit offset is not an integer or out of range\r\n")]
    [InlineData("SET u8 0 x", NotInteger)]
    public void Wrong_operations_are_refused_before_the_key_is_looked_at(string operations, string reply)
    {
        _server.PutOtherType("l");
        Assert.Equal(reply, _server.Call(["BITFIELD", "l", .. operations.Split(' ')]));
        Assert.Equal(WrongType, _server.Call("BITFIELD", "l", "GET", "u8", "0"));
        Assert.Equal(WrongType, _server.Call("BITFIELD", "l", "SET", "u8", "0", "1"));
    }
}
