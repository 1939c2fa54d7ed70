// LZF compression and decompression, at its limits, and with damaged input.
using System.Text;
using Garnet.Persistence.Rdb;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Persistence.Tests.Rdb;

public sealed class LzfTests(ITestOutputHelper output)
{
    private readonly LzfCompressor _compressor = new();

    [Fact]
    public void Values_of_all_kinds_round_trip()
    {
        var random = new Random(TestSeed.Choose(output, 1));
        int compressed = 0;
        for (int i = 0; i < 3000; i++)
        {
            byte[] value = Value(random, random.Next(5, random.Next(2) == 0 ? 80 : 20_000));
            byte[] target = new byte[value.Length - 4];
            int length = _compressor.Compress(value, target);
            if (length == 0)
                continue;
            compressed++;
            byte[] back = new byte[value.Length];
            Assert.True(LzfDecoder.IsPlausible(length, value.Length));
            Assert.True(LzfDecoder.TryDecode(target.AsSpan(0, length), back));
            Assert.Equal(value, back);
        }

        Assert.True(compressed > 1000);
    }

    [Theory]
    [InlineData("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "0161 61E0 11 00 0161 61")]
    [InlineData("abcabcabcabcabcabcabcabcabcabcabcd", "0361 6263 61 E0 13 02 01 6364")]
    public void Runs_are_written_as_one_copy(string text, string expected)
    {
        byte[] target = new byte[text.Length - 4];
        int length = _compressor.Compress(Encoding.ASCII.GetBytes(text), target);
        Assert.Equal(expected.Replace(" ", "", StringComparison.Ordinal), Convert.ToHexString(target.AsSpan(0, length)));
    }

    [Fact]
    public void The_longest_copy_is_264_bytes()
    {
        byte[] value = new byte[100_000];
        byte[] target = new byte[value.Length];
        int length = _compressor.Compress(value, target);
        Assert.InRange(length, value.Length / 264 * 3, (value.Length / 200 * 3) + 100);
        Assert.True(LzfDecoder.IsPlausible(length, value.Length));
        byte[] back = new byte[value.Length];
        Assert.True(LzfDecoder.TryDecode(target.AsSpan(0, length), back));
        Assert.Equal(value, back);
    }

    [Fact]
    public void What_does_not_fit_is_not_written()
    {
        byte[] value = new byte[1000];
        new Random(3).NextBytes(value);
        Assert.Equal(0, _compressor.Compress(value, new byte[996]));
        Assert.Equal(0, _compressor.Compress(new byte[1000], new byte[5]));
    }

    [Fact]
    public void Damaged_input_is_rejected_or_gives_the_requested_number_of_bytes()
    {
        var random = new Random(TestSeed.Choose(output, 4));
        for (int i = 0; i < 20_000; i++)
        {
            byte[] value = Value(random, 300);
            byte[] target = new byte[value.Length + 20];
            int length = _compressor.Compress(value, target);
            byte[] damaged = target[..random.Next(length + 1)];
            if (damaged.Length > 0)
                damaged[random.Next(damaged.Length)] ^= (byte)random.Next(1, 256);
            LzfDecoder.TryDecode(damaged, new byte[random.Next(400)]);
        }
    }

    [Fact]
    public void A_copy_from_before_the_start_is_refused() => Assert.False(LzfDecoder.TryDecode([0, 65, 0x20, 1], new byte[4]));

    [Fact]
    public void A_small_input_that_claims_a_gigabyte_is_rejected() => Assert.False(LzfDecoder.IsPlausible(1000, 1L << 30));

    private static byte[] Value(Random random, int length)
    {
        byte[] value = new byte[length];
        int alphabet = random.Next(1, 257);
        for (int i = 0; i < length; i++)
            value[i] = (byte)random.Next(alphabet);
        for (int copies = random.Next(20); copies > 0; copies--)
        {
            int from = random.Next(length);
            int to = random.Next(length);
            int bytes = random.Next(length - Math.Max(from, to));
            value.AsSpan(from, bytes).CopyTo(value.AsSpan(to));
        }

        return value;
    }
}
