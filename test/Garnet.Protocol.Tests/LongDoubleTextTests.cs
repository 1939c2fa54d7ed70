// Extended precision: the edges that recorded sums do not name, and allocations. Single-threaded.
using System.Text;
using Xunit;

namespace Garnet.Protocol.Tests;

public sealed class LongDoubleTextTests
{
    [Theory]
    [InlineData("10.50", "0.1", "10.6")]
    [InlineData("3.0e3", "200", "3200")]
    [InlineData("0.1", "0.2", "0.3")]
    [InlineData("-5", "5", "0")]
    [InlineData("-0", "-0", "0")]
    [InlineData("-1e-30", "0", "0")]
    [InlineData("18446744073709551615", "1", "18446744073709551616")]
    [InlineData("18446744073709551616", "1", "18446744073709551616")]
    [InlineData("0.999999999999999999", "0", "1")]
    public void Sums_equal_those_of_an_x87(string left, string right, string expected) => Assert.Equal(expected, Add(left, right));

    [Theory]
    [InlineData("1.18973149535723176502e4932", true)]
    [InlineData("1.18973149535723176509e4932", false)]
    [InlineData("3.6451995318824746025e-4951", true)]
    [InlineData("1.8e-4951", false)]
    [InlineData("0e-99999", true)]
    public void The_range_is_that_of_the_format(string text, bool expected) =>
        Assert.Equal(expected, LongDoubleText.TryParse(Encoding.ASCII.GetBytes(text), out _));

    [Fact]
    public void Infinities_and_their_difference_are_distinguished()
    {
        var up = LongDouble.Infinity(isNegative: false);
        var down = LongDouble.Infinity(isNegative: true);
        Assert.True((up + down).IsNaN);
        Assert.True((up + LongDouble.FromInteger(1)).IsInfinity);
        Assert.False((up + up).IsFinite);
        Assert.True(LongDoubleText.TryParse("-inf"u8, out LongDouble parsed));
        Assert.True(parsed.IsInfinity && parsed.IsNegative);
    }

    [Fact]
    public void Integers_and_doubles_convert_exactly()
    {
        Assert.Equal("-9223372036854775808", Format(LongDouble.FromInteger(long.MinValue)));
        Assert.Equal("9223372036854775807", Format(LongDouble.FromInteger(long.MaxValue)));
        Assert.Equal("0.10000000000000001", Format(LongDouble.FromDouble(0.1)));
        Assert.Equal("0", Format(LongDouble.FromDouble(5e-324)));
        Assert.Equal("-inf", Format(LongDouble.FromDouble(double.NegativeInfinity)));
        Assert.Equal("nan", Format(LongDouble.FromDouble(double.NaN)));
    }

    [Fact]
    public void The_largest_value_fits_the_stated_length()
    {
        string text = Add("-1.18973149535723176502e4932", "0");
        Assert.Equal(4934, text.Length);
        Assert.True(text.Length <= LongDoubleText.MaxLength);
    }

    [Fact]
    public void Ordinary_numbers_allocate_nothing()
    {
        byte[] text = new byte[LongDoubleText.MaxLength];
        for (int round = 0; round < 3; round++)
        {
            long before = GC.GetAllocatedBytesForCurrentThread();
            for (int i = 0; i < 100; i++)
            {
                Assert.True(LongDoubleText.TryParse("123456789.12345678901234567"u8, out LongDouble left));
                Assert.True(LongDoubleText.TryParse("-0.1"u8, out LongDouble right));
                Assert.True(LongDoubleText.Format(left + right, text) > 0);
            }
            if (round > 0)
                Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
        }
    }

    private static string Add(string left, string right)
    {
        Assert.True(LongDoubleText.TryParse(Encoding.ASCII.GetBytes(left), out LongDouble a));
        Assert.True(LongDoubleText.TryParse(Encoding.ASCII.GetBytes(right), out LongDouble b));
        return Format(a + b);
    }

    private static string Format(LongDouble value)
    {
        byte[] text = new byte[LongDoubleText.MaxLength];
        return Encoding.ASCII.GetString(text, 0, LongDoubleText.Format(value, text));
    }
}
