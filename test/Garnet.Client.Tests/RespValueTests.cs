// Replies as .NET's types. Pure functions.
using System.Text;
using Xunit;

namespace Garnet.Client.Tests;

public sealed class RespValueTests
{
    [Theory]
    [InlineData("+OK\r\n", "OK")]
    [InlineData("$2\r\nhi\r\n", "hi")]
    [InlineData("=7\r\ntxt:abc\r\n", "abc")]
    [InlineData(":-5\r\n", "-5")]
    [InlineData(",1.5\r\n", "1.5")]
    [InlineData("(12345678901234567890\r\n", "12345678901234567890")]
    public void Strings_and_numbers_are_text(string wire, string text)
    {
        RespValue value = Read(wire);
        Assert.Equal(text, value.AsString());
        Assert.True(value.TryGetString(out string? got));
        Assert.Equal(text, got);
    }

    [Theory]
    [InlineData(":-5\r\n", -5)]
    [InlineData("$2\r\n42\r\n", 42)]
    [InlineData("(7\r\n", 7)]
    [InlineData("#t\r\n", 1)]
    public void Integers_are_read_however_they_were_written(string wire, long number)
    {
        Assert.Equal(number, Read(wire).AsInt64());
        Assert.True(Read(wire).TryGetInt64(out long got));
        Assert.Equal(number, got);
    }

    [Theory]
    [InlineData(",1.5\r\n", 1.5)]
    [InlineData("$3\r\n1.5\r\n", 1.5)]
    [InlineData(":2\r\n", 2)]
    public void Numbers_can_be_read_as_doubles(string wire, double number)
    {
        Assert.Equal(number, Read(wire).AsDouble());
        Assert.True(Read(wire).TryGetDouble(out double got));
        Assert.Equal(number, got);
    }

    [Theory]
    [InlineData("#t\r\n", true)]
    [InlineData("#f\r\n", false)]
    [InlineData(":1\r\n", true)]
    [InlineData(":0\r\n", false)]
    public void And_truth_values(string wire, bool truth) => Assert.Equal(truth, Read(wire).AsBoolean());

    [Theory]
    [InlineData("*1\r\n:1\r\n")]
    [InlineData("-ERR no\r\n")]
    [InlineData("_\r\n")]
    [InlineData("$1\r\nx\r\n")]
    public void Text_that_is_no_number_is_reported(string wire)
    {
        RespValue value = Read(wire);
        Assert.False(value.TryGetInt64(out _));
        Assert.False(value.TryGetDouble(out _));
        Assert.False(value.TryGetBoolean(out _));
        Assert.Throws<InvalidOperationException>(() => value.AsInt64());
        Assert.Throws<InvalidOperationException>(() => value.AsDouble());
        Assert.Throws<InvalidOperationException>(() => value.AsBoolean());
    }

    [Fact]
    public void Nulls_are_null_and_errors_are_reported()
    {
        Assert.Null(Read("$-1\r\n").AsString());
        Assert.False(Read("$-1\r\n").TryGetString(out _));
        RespValue error = Read("-WRONGTYPE it is a list\r\n");
        Assert.Equal("WRONGTYPE it is a list", error.ErrorMessage);
        Assert.Contains("WRONGTYPE", Assert.Throws<InvalidOperationException>(() => error.AsString()).Message, StringComparison.Ordinal);
        Assert.Null(Read("+OK\r\n").ErrorMessage);
        Assert.False(Read(":7\r\n").TryGetBoolean(out _));
    }

    private static RespValue Read(string wire)
    {
        int position = 0;
        return new ReplyParser().Parse(Encoding.UTF8.GetBytes(wire), ref position)!;
    }
}
