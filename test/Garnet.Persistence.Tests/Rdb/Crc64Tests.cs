// The checksum of RDB data compared with its published check value and a bitwise computation.
using Garnet.Persistence.Rdb;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Persistence.Tests.Rdb;

public sealed class Crc64Tests(ITestOutputHelper output)
{
    [Fact]
    public void The_check_value_is_the_published_one()
    {
        Assert.Equal(0xE9C6D914C4B8D9CA, Crc64.Append(0, "123456789"u8));
        Assert.Equal(0xE9C6D914C4B8D9CA, Crc64.AppendByTables(0, "123456789"u8));
    }

    [Fact]
    public void Every_length_and_alignment_agrees_with_the_bitwise_computation()
    {
        var random = new Random(TestSeed.Choose(output, 1));
        byte[] bytes = new byte[700];
        random.NextBytes(bytes);
        for (int start = 0; start < 20; start++)
        {
            for (int length = 0; length < bytes.Length - start; length += length < 300 ? 1 : 37)
            {
                ulong before = (ulong)random.NextInt64();
                ulong expected = BitByBit(before, bytes.AsSpan(start, length));
                Assert.Equal(expected, Crc64.Append(before, bytes.AsSpan(start, length)));
                Assert.Equal(expected, Crc64.AppendByTables(before, bytes.AsSpan(start, length)));
            }
        }
    }

    [Fact]
    public void Computing_in_pieces_gives_the_same_result()
    {
        var random = new Random(TestSeed.Choose(output, 2));
        byte[] bytes = new byte[100_000];
        random.NextBytes(bytes);
        ulong crc = 0;
        for (int at = 0; at < bytes.Length; )
        {
            int piece = Math.Min(random.Next(0, 5000), bytes.Length - at);
            crc = Crc64.Append(crc, bytes.AsSpan(at, piece));
            at += piece;
        }

        Assert.Equal(Crc64.Append(0, bytes), crc);
    }

    [Fact]
    public void The_beginning_can_be_replaced_afterwards()
    {
        var random = new Random(TestSeed.Choose(output, 3));
        foreach (int length in new[] { 9, 10, 100, 5000, 1_000_003 })
        {
            byte[] bytes = new byte[length];
            random.NextBytes(bytes);
            ulong crc = Crc64.Append(0, bytes);
            byte[] before = bytes[..9];
            "VALKEY080"u8.CopyTo(bytes);
            Assert.Equal(Crc64.Append(0, bytes), Crc64.ExchangeStart(crc, before, "VALKEY080"u8, length));
        }
    }

    private static ulong BitByBit(ulong crc, ReadOnlySpan<byte> bytes)
    {
        foreach (byte each in bytes)
        {
            crc ^= each;
            for (int bit = 0; bit < 8; bit++)
                crc = (crc & 1) != 0 ? (crc >> 1) ^ 0x95AC9329AC4BC9B5 : crc >> 1;
        }

        return crc;
    }
}
