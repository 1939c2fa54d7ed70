// Replies from bytes, cut at every byte, and what is refused. Single-threaded.
using System.Text;
using Xunit;

namespace Garnet.Client.Tests;

public sealed class ReplyParserTests
{
    [Theory]
    [InlineData("+OK\r\n", "+OK")]
    [InlineData("+\r\n", "+")]
    [InlineData("-ERR bad \"thing\"\r\n", "-ERR bad \"thing\"")]
    [InlineData(":-42\r\n", ":-42")]
    [InlineData("$0\r\n\r\n", "\"\"")]
    [InlineData("$7\r\na\"\\\r\n\u00ffz\r\n", "\"a\\\"\\\\\\x0d\\x0a\\xffz\"")]
    [InlineData("$-1\r\n", "$-1")]
    [InlineData("*-1\r\n", "*-1")]
    [InlineData("_\r\n", "_")]
    [InlineData("*0\r\n", "*[]")]
    [InlineData("*3\r\n:1\r\n*2\r\n+a\r\n$1\r\nb\r\n*0\r\n", "*[:1 *[+a \"b\"] *[]]")]
    [InlineData("*2\r\n+a +b\r\n-ERR [x\r\n", "*[+\"a +b\" -\"ERR [x\"]")]
    [InlineData("#t\r\n#f\r\n", "#t|#f")]
    [InlineData(",1.5\r\n,inf\r\n,-inf\r\n,nan\r\n,1e+21\r\n", ",1.5|,inf|,-inf|,nan|,1e+21")]
    [InlineData("(123456789012345678901234567890\r\n", "(123456789012345678901234567890")]
    [InlineData("!8\r\nERR a\r\nb\r\n", "!\"ERR a\\x0d\\x0ab\"")]
    [InlineData("=6\r\ntxt:hi\r\n", "=txt:\"hi\"")]
    [InlineData("%2\r\n+a\r\n:1\r\n+b\r\n*1\r\n_\r\n", "%[+a :1 +b *[_]]")]
    [InlineData("~2\r\n+a\r\n+b\r\n", "~[+a +b]")]
    [InlineData(">2\r\n+message\r\n$1\r\nx\r\n", ">[+message \"x\"]")]
    [InlineData("|1\r\n+ttl\r\n:5\r\n*2\r\n:1\r\n|0\r\n:2\r\n", "|[+ttl :5]*[:1 |[]:2]")]
    public void Replies_parse_to_the_same_result_however_they_are_split(string input, string expected)
    {
        byte[] bytes = Encoding.Latin1.GetBytes(input);
        for (int cut = 0; cut <= bytes.Length; cut++)
        {
            var parser = new ReplyParser();
            var replies = new List<RespValue>();
            int position = 0;
            while (parser.Parse(bytes.AsSpan(0, cut), ref position) is { } reply)
                replies.Add(reply);
            byte[] rest = bytes[position..];
            position = 0;
            while (parser.Parse(rest, ref position) is { } reply)
                replies.Add(reply);
            Assert.Equal(expected, string.Join('|', replies));
            Assert.Equal(rest.Length, position);
            Assert.False(parser.IsMidReply);
        }
    }

    [Fact]
    public void Values_carry_their_numbers_and_text()
    {
        RespValue value = Parse("*4\r\n:7\r\n,2.5\r\n$3\r\n\u00e9\u00e9x\r\n=5\r\nmkd:y\r\n")!;
        Assert.Equal(7, value[0].Integer);
        Assert.Equal(2.5, value[1].Double);
        Assert.Equal([0xe9, 0xe9, (byte)'x'], value[2].Bytes.ToArray());
        Assert.Equal("mkd", value[3].Format);
        Assert.Equal("y", value[3].Text);
        Assert.True(Parse("-ERR\r\n")!.IsError);
        Assert.True(Parse("_\r\n")!.IsNull && Parse("$-1\r\n")!.IsNull && Parse("*-1\r\n")!.IsNull);
    }

    [Theory]
    [InlineData("hello\r\n")]
    [InlineData("\r\n")]
    [InlineData("+OK\n")]
    [InlineData(":\r\n")]
    [InlineData(":1.5\r\n")]
    [InlineData("$x\r\n")]
    [InlineData("$-2\r\n")]
    [InlineData("$?\r\n")]
    [InlineData("$536870913\r\n")]
    [InlineData("$1\r\nabc\r\n")]
    [InlineData("*-2\r\n")]
    [InlineData("*99999999999\r\n")]
    [InlineData("*9223372036854775807\r\n")]
    [InlineData("%4611686018427387904\r\n")]
    [InlineData("~-1\r\n")]
    [InlineData("_x\r\n")]
    [InlineData("#x\r\n")]
    [InlineData(",x\r\n")]
    [InlineData("=3\r\ntxt\r\n")]
    [InlineData("=4\r\ntxtx\r\n")]
    public void Bytes_that_are_not_a_reply_are_refused(string input) => Assert.Throws<RespProtocolException>(() => Parse(input));

    [Fact]
    public void Limits_hold_for_hostile_peers()
    {
        var limits = new ReplyLimits
        {
            MaxBulkBytes = 10,
            MaxLineBytes = 100,
            MaxElements = 20,
            MaxDepth = 4,
        };
        Assert.Throws<RespProtocolException>(() => Parse("$11\r\n", limits));
        Assert.Throws<RespProtocolException>(() => Parse("+" + new string('x', 100), limits));
        Assert.Throws<RespProtocolException>(() => Parse("*1\r\n*20\r\n", limits));
        Assert.Throws<RespProtocolException>(() => Parse(string.Concat(Enumerable.Repeat("*1\r\n", 5)), limits));
        Assert.Throws<RespProtocolException>(() => Parse(string.Concat(Enumerable.Repeat("|0\r\n", 21)), limits));
        Assert.NotNull(Parse("*19\r\n" + string.Concat(Enumerable.Repeat("+\r\n", 19)), limits));
    }

    [Theory]
    [InlineData("*2\r\n$10\r\n0123456789\r\n$10\r\n0123456789\r\n", 38)]
    [InlineData("*3\r\n:1\r\n+OK\r\n_\r\n", 16)]
    public void A_limit_on_the_whole_reply_counts_all_its_parts(string input, int length)
    {
        Assert.Equal(length, input.Length);
        Assert.Throws<RespProtocolException>(() => Parse(input, new ReplyLimits { MaxReplyBytes = length - 1 }));
        var parser = new ReplyParser(new ReplyLimits { MaxReplyBytes = length });
        byte[] bytes = Encoding.ASCII.GetBytes(input + input);
        int position = 0;
        Assert.NotNull(parser.Parse(bytes, ref position));
        Assert.NotNull(parser.Parse(bytes, ref position));
    }

    [Fact]
    public void Declared_sizes_allocate_nothing()
    {
        var parser = new ReplyParser();
        byte[] input = "*60000000\r\n$500000000\r\n"u8.ToArray();
        int position = 0;
        long before = GC.GetAllocatedBytesForCurrentThread();
        Assert.Null(parser.Parse(input, ref position));
        Assert.True(GC.GetAllocatedBytesForCurrentThread() - before < 10_000);
    }

    [Fact]
    public void Deep_nesting_within_the_limit_uses_no_stack()
    {
        const int depth = 100_000;
        string input = string.Concat(Enumerable.Repeat("*1\r\n", depth)) + ":1\r\n";
        RespValue value = Parse(input, new ReplyLimits { MaxDepth = depth })!;
        int levels = 0;
        for (; value.Kind == RespKind.Array; value = value[0])
            levels++;
        Assert.Equal(depth, levels);
    }

    private static RespValue? Parse(string input, ReplyLimits? limits = null)
    {
        int position = 0;
        return new ReplyParser(limits).Parse(Encoding.Latin1.GetBytes(input), ref position);
    }
}
