// Integers as text. Single-threaded.
using System.Globalization;
using System.Text;
using Garnet.Testing;
using Xunit;

namespace Garnet.Protocol.Tests;

public sealed class IntegerTextTests
{
    [Theory]
    [InlineData("0", 0L)]
    [InlineData("7", 7L)]
    [InlineData("-1", -1L)]
    [InlineData("1234567890123456789", 1234567890123456789L)]
    [InlineData("9223372036854775807", long.MaxValue)]
    [InlineData("-9223372036854775808", long.MinValue)]
    public void Canonical_text_parses_and_comes_back(string text, long expected)
    {
        Assert.True(IntegerText.TryParse(Encoding.ASCII.GetBytes(text), out long value));
        Assert.Equal(expected, value);
        Span<byte> formatted = stackalloc byte[IntegerText.MaxLength];
        Assert.Equal(text, Encoding.ASCII.GetString(formatted[..IntegerText.Format(value, formatted)]));
        Assert.Equal(text.Length, IntegerText.Length(value));
    }

    [Theory]
    [InlineData("")]
    [InlineData("-")]
    [InlineData("-0")]
    [InlineData("00")]
    [InlineData("01")]
    [InlineData("-01")]
    [InlineData("+1")]
    [InlineData(" 1")]
    [InlineData("1 ")]
    [InlineData("1a")]
    [InlineData("0x1")]
    [InlineData("1.0")]
    [InlineData("--1")]
    [InlineData("9223372036854775808")]
    [InlineData("-9223372036854775809")]
    [InlineData("18446744073709551616")]
    [InlineData("99999999999999999999")]
    [InlineData("123456789012345678901")]
    [InlineData("1234567890123456789x")]
    [InlineData("123456789012345678x")]
    public void Other_text_is_refused(string text) => Assert.False(IntegerText.TryParse(Encoding.ASCII.GetBytes(text), out _));

    [Fact]
    public void Random_values_of_every_length_come_back()
    {
        var random = new Random(TestSeed.Choose(42));
        byte[] text = new byte[IntegerText.MaxLength];
        for (int i = 0; i < 20000; i++)
        {
            long value = random.NextInt64(long.MinValue, long.MaxValue) >> random.Next(64);
            int length = IntegerText.Format(value, text);
            Assert.Equal(value.ToString(CultureInfo.InvariantCulture), Encoding.ASCII.GetString(text, 0, length));
            Assert.Equal(length, IntegerText.Length(value));
            Assert.True(IntegerText.TryParse(text.AsSpan(0, length), out long back));
            Assert.Equal(value, back);
        }
    }
}
