// Ends of replies, wherever the bytes are cut.
using System.Text;
using Garnet.Bench.Load;
using Xunit;

namespace Garnet.Bench.Tests.Load;

public sealed class ReplyReaderTests
{
    // Reply, then what is expected: one word a reply.
    public static TheoryData<string, string> Replies =>
        new()
        {
            { "+OK\r\n", "+" },
            { ":12\r\n:-3\r\n", ": :" },
            { "-ERR no\r\n", "-error" },
            { "$3\r\nabc\r\n", "$" },
            { "$0\r\n\r\n", "$" },
            { "$4\r\n\r\n\r\n\r\n", "$" },
            { "$-1\r\n", "$null" },
            { "*-1\r\n", "*null" },
            { "_\r\n", "_null" },
            { "*0\r\n+OK\r\n", "* +" },
            { "*2\r\n$1\r\na\r\n*2\r\n:1\r\n$-1\r\n:7\r\n", "* :" },
            { "*1\r\n*1\r\n*0\r\n$1\r\nx\r\n", "* $" },
            { "%1\r\n+k\r\n~2\r\n#t\r\n,1.5\r\n(123\r\n", "% (" },
            { "=7\r\ntxt:abc\r\n!5\r\nERR x\r\n", "= !error" },
            { ">2\r\n+message\r\n*1\r\n:1\r\n+OK\r\n", "+" },
            { ">0\r\n+OK\r\n", "+" },
            { "|1\r\n+ttl\r\n:3\r\n$-1\r\n+OK\r\n", "$null +" },
            { "*2\r\n|1\r\n+a\r\n*1\r\n:1\r\n:5\r\n:6\r\n+OK\r\n", "* +" },
            { "|0\r\n-ERR\r\n", "-error" },
            { "*1\r\n-ERR nested\r\n", "*" },
        };

    [Theory]
    [MemberData(nameof(Replies))]
    public void Replies_are_found_wherever_they_are_cut(string bytes, string expected)
    {
        byte[] data = Encoding.ASCII.GetBytes(bytes);
        for (int cut = 0; cut <= data.Length; cut++)
        {
            var reader = new ReplyReader();
            Assert.Equal(expected, string.Join(' ', [.. Read(reader, data[..cut]), .. Read(reader, data[cut..])]));
            Assert.False(reader.IsMidReply);
        }

        var single = new ReplyReader();
        Assert.Equal(expected, string.Join(' ', data.SelectMany(value => Read(single, [value]))));
    }

    [Theory]
    [InlineData("-ERR some text\r\n", "ERR some text")]
    [InlineData("!8\r\nERR a\r\nb\r\n", "ERR a\r\nb")]
    public void The_text_of_an_error_is_kept(string bytes, string text)
    {
        var reader = new ReplyReader();
        foreach (byte value in Encoding.ASCII.GetBytes(bytes))
            Read(reader, [value]);
        Assert.Equal(text, reader.ErrorText);
    }

    [Theory]
    [InlineData("$5\r\nvalue\r\n", false)]
    [InlineData("$-1\r\n", false)]
    [InlineData("_\r\n", false)]
    [InlineData("-ERR\r\n", false)]
    [InlineData(">1\r\n$3\r\nabc\r\n$5\r\nvalue\r\n", false)]
    [InlineData("|1\r\n+a\r\n$1\r\nb\r\n$5\r\nvalue\r\n", false)]
    [InlineData("$5\r\nvalux\r\n", true)]
    [InlineData("$4\r\nvalu\r\n", true)]
    [InlineData("$6\r\nvaluee\r\n", true)]
    [InlineData("$0\r\n\r\n", true)]
    [InlineData(":5\r\n", true)]
    [InlineData("+value\r\n", true)]
    [InlineData("*1\r\n$5\r\nvalue\r\n", true)]
    public void A_value_that_is_not_the_expected_one_is_wrong(string bytes, bool isWrong)
    {
        byte[] data = Encoding.ASCII.GetBytes(bytes);
        for (int cut = 0; cut < data.Length; cut++)
        {
            var reader = new ReplyReader();
            reader.Expect("value"u8.ToArray());
            int at = 0;
            if (!reader.TryRead(data.AsSpan(0, cut), ref at, out Reply reply))
            {
                at = 0;
                Assert.True(reader.TryRead(data.AsSpan(cut), ref at, out reply));
            }

            Assert.Equal(isWrong, reply.IsWrong);
            at = 0;
            Assert.True(reader.TryRead("$1\r\nx\r\n"u8, ref at, out reply));
            Assert.False(reply.IsWrong);
        }
    }

    [Theory]
    [InlineData("HTTP/1.1 400 Bad Request\r\n", "web server")]
    [InlineData("H", "web server")]
    [InlineData("<html>", "web server")]
    [InlineData("\u0015\u0003\u0001", "--tls")]
    [InlineData("?x\r\n", "byte 63")]
    [InlineData("\r\n", "byte 13")]
    [InlineData("*1\r\nX\r\n", "byte 88")]
    [InlineData("$3\r\nabcd\r\n", "longer")]
    [InlineData("$3\r\nabc\rx", "longer")]
    [InlineData("$x\r\n", "not a number")]
    [InlineData("$\r\n", "not a number")]
    [InlineData("$-2\r\n", "out of range")]
    [InlineData("$99999999999\r\n", "out of range")]
    [InlineData("*-2\r\n", "too many")]
    [InlineData("*99999999999\r\n", "too many")]
    [InlineData("%9223372036854775807\r\n", "too many")]
    [InlineData("*60000000\r\n*60000000\r\n", "too many")]
    [InlineData("+OK\n", "CR LF")]
    public void What_is_not_RESP_is_refused(string bytes, string reason)
    {
        var reader = new ReplyReader();
        ReplyFormatException failure = Assert.Throws<ReplyFormatException>(() => Read(reader, Encoding.Latin1.GetBytes(bytes)));
        Assert.Contains(reason, failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_line_that_never_ends_is_refused()
    {
        var reader = new ReplyReader();
        byte[] part = Encoding.ASCII.GetBytes("+" + new string('x', 9_999));
        Assert.Throws<ReplyFormatException>(() =>
        {
            for (int i = 0; i < 10; i++)
                Read(reader, part);
        });
    }

    private static List<string> Read(ReplyReader reader, byte[] data)
    {
        var found = new List<string>();
        int at = 0;
        while (reader.TryRead(data, ref at, out Reply reply))
            found.Add((char)reply.Type + (reply.IsNull ? "null" : "") + (reply.IsError ? "error" : ""));
        Assert.Equal(data.Length, at);
        return found;
    }
}
