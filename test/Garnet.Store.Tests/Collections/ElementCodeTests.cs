// Decoding an element code gives the original element, and equal elements have equal codes.
using System.Text;
using Garnet.Store.Collections;
using Garnet.Store.Collections.Hashes;
using Garnet.Store.Collections.Lists;
using Garnet.Store.Collections.Sets;
using Garnet.Store.Collections.SortedSets;
using Garnet.Testing;
using Xunit;

namespace Garnet.Store.Tests.Collections;

public sealed class ElementCodeTests
{
    public static TheoryData<string> Texts()
    {
        var texts = new HashSet<string>
        {
            "",
            "0",
            "-0",
            "00",
            "01",
            "+1",
            "-",
            "1",
            "63",
            "64",
            "8255",
            "8256",
            "-1",
            "-128",
            "-129",
            "127",
            "128",
            "32767",
            "32768",
            "-32768",
            "-32769",
            "8388607",
            "8388608",
            "2147483647",
            "2147483648",
            "-2147483648",
            "-2147483649",
            "9223372036854775807",
            "9223372036854775808",
            "-9223372036854775808",
            "-9223372036854775809",
            "99999999999999999999",
            "123456789012345678901",
            "1.5",
            "1e5",
            " 1",
            "1 ",
            new string('a', 95),
            new string('a', 96),
            new string('b', 4095),
            new string('b', 4096),
            new string('c', 70_000),
        };
        for (int bits = 1; bits < 63; bits++)
        {
            texts.Add((1L << bits).ToString());
            texts.Add(((1L << bits) - 1).ToString());
            texts.Add((-(1L << bits)).ToString());
            texts.Add((-(1L << bits) - 1).ToString());
        }

        return new TheoryData<string>(texts);
    }

    [Theory]
    [MemberData(nameof(Texts))]
    public void Decoding_a_text_gives_the_original(string text)
    {
        byte[] bytes = Encoding.ASCII.GetBytes(text);
        var code = ElementCode.Of(bytes);
        byte[] entries = new byte[3 + code.Size + 1];
        "\u0001ab"u8[..2].CopyTo(entries);
        int rest = code.WriteTo(entries.AsSpan(2)).Length;
        Assert.Equal(entries.Length - 2 - code.Size, rest);
        Assert.Equal(2 + code.Size, PackedEntries.Next(entries, 2));
        PackedElement element = PackedEntries.Read(entries, 2);
        Assert.Equal(bytes, element.Span.ToArray());
        Assert.Equal(bytes.Length, element.Length);
        byte[] copy = new byte[element.Length];
        element.CopyTo(copy);
        Assert.Equal(bytes, copy);
        Assert.True(code.Matches(entries.AsSpan(2)));
        Assert.False(code.Matches(entries.AsSpan(2, code.Size - 1 is 0 ? 1 : code.Size - 1)) && code.Size > 1);
        Assert.Equal(long.TryParse(text, out long number) && number.ToString() == text, element.IsInteger);
    }

    [Theory]
    [InlineData(0.0, 1)]
    [InlineData(-0.0, 9)]
    [InlineData(1.5, 9)]
    [InlineData(100.0, 2)]
    [InlineData(-3.0, 2)]
    [InlineData(double.PositiveInfinity, 9)]
    [InlineData(double.NegativeInfinity, 9)]
    [InlineData(double.MaxValue, 9)]
    [InlineData(double.Epsilon, 9)]
    [InlineData(9007199254740992.0, 8)]
    [InlineData(9007199254740994.0, 9)]
    public void Decoding_a_score_gives_the_same_bits(double score, int size)
    {
        var code = ElementCode.OfScore(score);
        Assert.Equal(size, code.Size);
        byte[] entry = new byte[code.Size];
        code.WriteTo(entry);
        Assert.Equal(BitConverter.DoubleToInt64Bits(score), BitConverter.DoubleToInt64Bits(PackedEntries.ReadScore(entry, 0)));
    }

    [Fact]
    public void Torn_data_never_causes_reads_out_of_bounds_or_endless_loops()
    {
        int seed = TestSeed.ChooseAnew();
        var random = new Random(seed);
        for (int round = 0; round < 20_000; round++)
        {
            byte[] bytes = new byte[random.Next(1, 80)];
            random.NextBytes(bytes);
            var needle = ElementCode.Of(CollectionClient.RandomElement(random, 50));
            int offset = 0;
            while (offset < bytes.Length)
            {
                _ = PackedEntries.Read(bytes, offset).Length;
                _ = PackedEntries.ReadScore(bytes, offset);
                int next = PackedEntries.Next(bytes, offset);
                Assert.True(next > offset && next <= bytes.Length, $"seed {seed}");
                offset = next;
            }

            PackedEntries.Find(bytes, 0, 2, needle);
            new HashView(bytes, default(RecordInfo), 5).TryGet("a"u8, out PackedElement value);
            _ = value.Length + new HashView(bytes, default(RecordInfo), 5).ExpiringFields;
            new SetView(bytes, default(RecordInfo)).Contains("12"u8);
            new SetView(bytes, default(RecordInfo)).Contains("element:1"u8);
            new SortedSetView(bytes, default(RecordInfo)).TryGetScore("m"u8, out _);
            new ListView(bytes, default(RecordInfo)).TryGetAt(random.Next(100), out value);
        }
    }
}
