// Doubles as text. Single-threaded.
using System.Text;
using Garnet.Testing;
using Xunit;

namespace Garnet.Protocol.Tests;

public sealed class DoubleTextTests
{
    [Theory]
    [InlineData(0.0, "0")]
    [InlineData(-0.0, "-0")]
    [InlineData(1.0, "1")]
    [InlineData(-17.0, "-17")]
    [InlineData(0.1, "0.1")]
    [InlineData(3.14159, "3.14159")]
    [InlineData(1e20, "1e+20")]
    [InlineData(12345678901234567890.0, "12345678901234567000")]
    [InlineData(1e21, "1e+21")]
    [InlineData(4611686018427387904.0, "4611686018427387904")]
    [InlineData(1e-5, "0.00001")]
    [InlineData(1e-6, "0.000001")]
    [InlineData(1e-7, "1e-7")]
    [InlineData(1.5e-7, "1.5e-7")]
    [InlineData(1e300, "1e+300")]
    [InlineData(5e-324, "5e-324")]
    [InlineData(double.MaxValue, "1.7976931348623157e+308")]
    [InlineData(double.MinValue, "-1.7976931348623157e+308")]
    [InlineData(double.PositiveInfinity, "inf")]
    [InlineData(double.NegativeInfinity, "-inf")]
    [InlineData(double.NaN, "nan")]
    public void Values_are_formatted_as_clients_know_them(double value, string expected) => Assert.Equal(expected, Format(value));

    [Theory]
    [InlineData("1", 1.0)]
    [InlineData("+1.5", 1.5)]
    [InlineData("-.5", -0.5)]
    [InlineData("5.", 5.0)]
    [InlineData("1e3", 1000.0)]
    [InlineData("1E-3", 0.001)]
    [InlineData("007", 7.0)]
    [InlineData("0e999999", 0.0)]
    [InlineData("inf", double.PositiveInfinity)]
    [InlineData("+INF", double.PositiveInfinity)]
    [InlineData("-Infinity", double.NegativeInfinity)]
    [InlineData("5e-324", 5e-324)]
    public void Numbers_are_parsed(string text, double expected)
    {
        Assert.True(DoubleText.TryParse(Encoding.ASCII.GetBytes(text), out double value));
        Assert.Equal(expected, value);
    }

    [Theory]
    [InlineData("")]
    [InlineData(" 1")]
    [InlineData("1 ")]
    [InlineData("1\0")]
    [InlineData("nan")]
    [InlineData("-nan")]
    [InlineData("nan(1)")]
    [InlineData("0x10")]
    [InlineData("1e")]
    [InlineData("1e+")]
    [InlineData(".")]
    [InlineData("-")]
    [InlineData("+-1")]
    [InlineData("1,5")]
    [InlineData("infin")]
    [InlineData("1e400")]
    [InlineData("-1e400")]
    [InlineData("1e-400")]
    [InlineData("1e99999999999999999999")]
    [InlineData("1e-99999999999999999999")]
    public void Other_text_is_refused(string text) => Assert.False(DoubleText.TryParse(Encoding.ASCII.GetBytes(text), out _));

    [Fact]
    public void Random_doubles_come_back_from_their_text()
    {
        var random = new Random(TestSeed.Choose(7));
        for (int i = 0; i < 100_000; i++)
        {
            double value = BitConverter.Int64BitsToDouble(random.NextInt64(long.MinValue, long.MaxValue));
            if (!double.IsFinite(value))
                continue;
            string text = Format(value);
            Assert.True(DoubleText.TryParse(Encoding.ASCII.GetBytes(text), out double back));
            Assert.True(value == back || text.Length > 22, $"{value:R} became {text}");
        }
    }

    private static string Format(double value)
    {
        byte[] text = new byte[DoubleText.MaxLength];
        return Encoding.ASCII.GetString(text, 0, DoubleText.Format(value, text));
    }
}
