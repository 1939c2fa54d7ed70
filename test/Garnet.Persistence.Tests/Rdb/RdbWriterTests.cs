// The parts of a file, byte by byte.
using System.Buffers;
using Garnet.Persistence.Rdb;
using Garnet.Testing;
using Xunit;

namespace Garnet.Persistence.Tests.Rdb;

public sealed class RdbWriterTests
{
    private readonly ArrayBufferWriter<byte> _output = new();

    [Theory]
    [InlineData(10, "REDIS0010")]
    [InlineData(9, "REDIS0009")]
    [InlineData(80, "VALKEY080")]
    public void The_header_names_the_version(int version, string expected)
    {
        new RdbWriter(_output, new RdbWriterOptions { Version = version }).WriteHeader();
        Assert.Equal(expected, System.Text.Encoding.ASCII.GetString(_output.WrittenSpan));
    }

    [Theory]
    [InlineData(0UL, "00")]
    [InlineData(63UL, "3F")]
    [InlineData(64UL, "4040")]
    [InlineData(16383UL, "7FFF")]
    [InlineData(16384UL, "8000004000")]
    [InlineData(4294967295UL, "80FFFFFFFF")]
    [InlineData(4294967296UL, "810000000100000000")]
    public void Lengths_are_encoded_in_the_fewest_bytes(ulong length, string expected)
    {
        Writer().WriteLength(length);
        Assert.Equal(expected, Convert.ToHexString(_output.WrittenSpan));
    }

    [Fact]
    public void A_key_has_its_expiry_type_name_and_value()
    {
        Writer().WriteStringKey("k"u8, "-5"u8, 0x0102030405060708);
        Assert.Equal("FC0807060504030201" + "00" + "016B" + "C0FB", Convert.ToHexString(_output.WrittenSpan));
    }

    [Fact]
    public void A_large_string_may_come_in_pieces()
    {
        RdbWriter writer = Writer();
        writer.BeginLargeString("k"u8, 6, -1);
        writer.WriteRaw("abc"u8);
        writer.WriteRaw("def"u8);
        Assert.Equal("00016B06616263646566", Convert.ToHexString(_output.WrittenSpan));
    }

    [Fact]
    public void Properties_databases_and_the_end_have_their_marks()
    {
        RdbWriter writer = Writer();
        writer.WriteAux("n"u8, 300);
        writer.WriteSelect(3);
        writer.WriteResize(70, 1);
        writer.WriteIdle(5);
        writer.WriteFrequency(200);
        writer.WriteEnd();
        RdbWriter.WriteChecksum(_output, 0x1122334455667788);
        Assert.Equal(
            "FA016EC12C01" + "FE03" + "FB404601" + "F805" + "F9C8" + "FF" + "8877665544332211",
            Convert.ToHexString(_output.WrittenSpan)
        );
    }

    [Fact]
    public void A_key_takes_no_more_space_than_announced()
    {
        var random = new Random(TestSeed.Choose(1));
        RdbWriter writer = Writer();
        for (int i = 0; i < 200; i++)
        {
            byte[] key = new byte[random.Next(100)];
            byte[] value = new byte[random.Next(40_000)];
            random.NextBytes(value);
            int before = _output.WrittenCount;
            writer.WriteStringKey(key, value, long.MaxValue);
            Assert.InRange(_output.WrittenCount - before, 0, RdbWriter.MaxBytes(key.Length, value.Length));
        }
    }

    [Fact]
    public void Keys_are_written_without_allocating()
    {
        const int warmUps = 100;
        var output = new ArrayBufferWriter<byte>(8 << 20);
        var writer = new RdbWriter(output, new RdbWriterOptions());
        byte[] value = new byte[2000];
        for (int i = 0; i < warmUps; i++)
        {
            writer.WriteStringKey("k"u8, value, 5);
            writer.WriteStringKey("k"u8, "12345"u8, -1);
        }

        long least = ManagedAllocation.Least(() =>
        {
            for (int i = 0; i < 200; i++)
            {
                writer.WriteStringKey("k"u8, value, 5);
                writer.WriteStringKey("k"u8, "12345"u8, -1);
            }
        });
        Assert.Equal(0, least);
    }

    private RdbWriter Writer() => new(_output, new RdbWriterOptions());
}
