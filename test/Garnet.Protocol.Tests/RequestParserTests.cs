// What the parser accepts and refuses, cut at every byte. Single-threaded.
using System.Text;
using Xunit;

namespace Garnet.Protocol.Tests;

public sealed class RequestParserTests
{
    [Theory]
    [InlineData("*1\r\n$4\r\nPING\r\n", "[PING]")]
    [InlineData("*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$5\r\nvalue\r\n", "[SET][k][value]")]
    [InlineData("*2\r\n$3\r\nGET\r\n$0\r\n\r\n*1\r\n$4\r\nPING\r\n", "[GET][]\n[PING]")]
    [InlineData("*2\r\n$4\r\nECHO\r\n$12\r\nhello\r\nworld\r\n", "[ECHO][hello\r\nworld]")]
    [InlineData(
        "*11\r\n$1\r\na\r\n$1\r\nb\r\n$1\r\nc\r\n$1\r\nd\r\n$1\r\ne\r\n$1\r\nf\r\n$1\r\ng\r\n$1\r\nh\r\n$1\r\ni\r\n$1\r\nj\r\n$1\r\nk\r\n",
        "[a][b][c][d][e][f][g][h][i][j][k]"
    )]
    [InlineData("*0\r\n*-1\r\n*-10\r\n*1\r\n$4\r\nPING\r\n", "[PING]")]
    [InlineData("\r\n\n  \r\n*1\r\n$4\r\nPING\r\n\r\n", "[PING]")]
    [InlineData("PING\r\nGET k\n*1\r\n$4\r\nPING\r\nECHO x\r\n", "[PING]\n[GET][k]\n[PING]\n[ECHO][x]")]
    [InlineData("  SET \t a \v\f b  \r\n", "[SET][a][b]")]
    [InlineData("SET k \"a b\\n\\r\\t\\b\\a\\x41\\xfF\\x0\\q\\\"\"\r\n", "[SET][k][a b\n\r\t\b\aA\u00ffx0q\"]")]
    [InlineData("SET k 'a b\\n\\'\\x41'\n", "[SET][k][a b\\n'\\x41]")]
    [InlineData("SET \"\" '' a\"b c\"d'e f'g\n", "[SET][][][ab cde fg]")]
    [InlineData("ECHO \"a\\\"\n", "[ECHO][a\\]")]
    [InlineData("*1\n", "!ERR Protocol error: invalid CRLF in request", "\r\r")]
    [InlineData("*x\r\n", "!ERR Protocol error: invalid multibulk length")]
    [InlineData("*\r\n", "!ERR Protocol error: invalid multibulk length")]
    [InlineData("*+1\r\n", "!ERR Protocol error: invalid multibulk length")]
    [InlineData("*01\r\n", "!ERR Protocol error: invalid multibulk length")]
    [InlineData("*2147483648\r\n", "!ERR Protocol error: invalid multibulk length")]
    [InlineData("*99999999999999999999999\r\n", "!ERR Protocol error: invalid multibulk length")]
    [InlineData("*1\rx", "!ERR Protocol error: invalid CRLF in request")]
    [InlineData("*1\r\nPING\r\n", "!ERR Protocol error: expected '$', got 'P'")]
    [InlineData("*1\r\n\r\n", "!ERR Protocol error: expected '$', got '\r'")]
    [InlineData("*1\r\n$\r\n", "!ERR Protocol error: invalid bulk length")]
    [InlineData("*1\r\n$-1\r\n", "!ERR Protocol error: invalid bulk length")]
    [InlineData("*1\r\n$536870913\r\n", "!ERR Protocol error: invalid bulk length")]
    [InlineData("*1\r\n$04\r\n", "!ERR Protocol error: invalid bulk length")]
    [InlineData("*1\r\n$4\rx", "!ERR Protocol error: invalid CRLF in request")]
    [InlineData("*1\r\n$4\r\nPINGx\n", "!ERR Protocol error: invalid CRLF in request")]
    [InlineData("*1\r\n$4\r\nPING\rx", "!ERR Protocol error: invalid CRLF in request")]
    [InlineData("PING\r\nSET \"a\r\n", "[PING]\n!ERR Protocol error: unbalanced quotes in request")]
    [InlineData("*1\r\n$4\r\nPING\r\n*2147483647\r\n$1\r\na\r\n:1\r\n", "[PING]\n!ERR Protocol error: expected '$', got ':'")]
    [InlineData("SET 'a\n", "!ERR Protocol error: unbalanced quotes in request")]
    public void Requests_parse_to_the_same_result_however_they_are_split(string input, string expected, string tail = "")
    {
        byte[] bytes = ParsedStream.Bytes(input + tail);
        expected = expected.TrimStart('\n');
        Assert.Equal(expected, ParsedStream.Of(bytes).Describe().TrimStart('\n'));

        for (int cut = 0; cut <= bytes.Length; cut++)
        {
            foreach (int lead in (int[])[0, 3])
            {
                var stream = new ParsedStream();
                stream.Receive(bytes.AsSpan(0, cut));
                stream.Lead = lead;
                stream.Receive(bytes.AsSpan(cut));
                Assert.Equal(expected, stream.Describe().TrimStart('\n'));
            }
        }
        var slow = new ParsedStream();
        foreach (byte value in bytes)
        {
            slow.Lead = (slow.Lead + 5) % 7;
            slow.Receive([value]);
        }
        Assert.Equal(expected, slow.Describe().TrimStart('\n'));
    }

    [Fact]
    public void Every_two_cuts_of_a_pipeline_give_the_same_requests()
    {
        byte[] bytes = ParsedStream.Bytes(
            "*2\r\n$3\r\nGET\r\n$10\r\n0123456789\r\nSET a 'b'\r\n*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$100\r\n"
                + new string('v', 100)
                + "\r\n*0\r\nPING\n"
        );
        string expected = ParsedStream.Of(bytes).Describe();
        Assert.Equal(4, ParsedStream.Of(bytes).Requests.Count);
        for (int first = 0; first < bytes.Length; first++)
        {
            for (int second = first; second < bytes.Length; second++)
            {
                var stream = new ParsedStream();
                stream.Receive(bytes.AsSpan(0, first));
                stream.Receive(bytes.AsSpan(first, second - first));
                stream.Receive(bytes.AsSpan(second));
                Assert.Equal(expected, stream.Describe());
            }
        }
    }

    [Fact]
    public void Lines_of_up_to_64_KiB_are_accepted_and_longer_ones_refused()
    {
        foreach (
            (string start, string error) in ((string, string)[])
                [
                    ("*", "ERR Protocol error: too big mbulk count string"),
                    ("*1\r\n$", "ERR Protocol error: too big bulk count string"),
                    ("GET ", "ERR Protocol error: too big inline request"),
                ]
        )
        {
            int lineStart = start.LastIndexOf('\n') + 1;
            string line = start + new string('1', RequestParser.MaxLineBytes - (start.Length - lineStart));
            var stream = ParsedStream.Of(ParsedStream.Bytes(line));
            Assert.Null(stream.Error);
            stream.Receive("1"u8);
            Assert.Equal(error, stream.Error);
        }
    }

    [Fact]
    public void A_NUL_hides_the_end_of_an_inline_request()
    {
        var stream = ParsedStream.Of("GET a\0b\r\n"u8);
        Assert.Equal("", stream.Describe());
        stream.Receive(new byte[RequestParser.MaxLineBytes]);
        Assert.Equal("ERR Protocol error: too big inline request", stream.Error);
    }

    [Fact]
    public void Before_authentication_requests_are_small()
    {
        static ParsedStream Parse(string input) => ParsedStream.Of(ParsedStream.Bytes(input), new RequestParser { IsRestricted = true });

        Assert.Null(Parse("*10\r\n").Error);
        Assert.Equal("ERR Protocol error: unauthenticated multibulk length", Parse("*11\r\n").Error);
        Assert.Null(Parse("*1\r\n$16384\r\n").Error);
        Assert.Equal("ERR Protocol error: unauthenticated bulk length", Parse("*1\r\n$16385\r\n").Error);
    }

    [Fact]
    public void The_longest_argument_can_be_set()
    {
        var parser = new RequestParser { MaxBulkBytes = 1000 };
        Assert.Null(ParsedStream.Of("*1\r\n$1000\r\n"u8, parser).Error);
        parser.Reset();
        Assert.Equal("ERR Protocol error: invalid bulk length", ParsedStream.Of("*1\r\n$1001\r\n"u8, parser).Error);
    }

    [Fact]
    public void A_request_of_very_many_arguments_that_trickles_in_is_parsed_once()
    {
        // 200,000 arguments in pieces of 1000 bytes: quadratic work would take minutes.
        const int count = 200_000;
        var input = new StringBuilder($"*{count}\r\n");
        for (int i = 0; i < count; i++)
            input.Append("$1\r\nx\r\n");
        byte[] bytes = ParsedStream.Bytes(input.ToString());
        var parser = new RequestParser();
        var table = new ArgumentTable();
        int position = 0;
        for (int received = 0; received < bytes.Length; received += 1000)
            Assert.Equal(ParseStatus.NeedMore, parser.Parse(bytes.AsSpan(0, received), ref position, table, out _));
        Assert.Equal(ParseStatus.Complete, parser.Parse(bytes, ref position, table, out RequestRange request));
        Assert.Equal(new RequestRange(0, count), request);
        Assert.Equal(bytes.Length, position);
    }

    [Fact]
    public void A_declared_count_and_length_allocate_nothing()
    {
        var parser = new RequestParser();
        var table = new ArgumentTable();
        byte[] input = "*2147483647\r\n$3\r\nSET\r\n$536870912\r\n"u8.ToArray();
        int position = 0;
        parser.Parse(input, ref position, table, out _);
        parser.Reset();
        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int i = 0; i < 100; i++)
        {
            parser.Parse(input, ref position, table, out _);
            parser.Reset();
        }
        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
    }

    [Fact]
    public void Parsing_allocates_nothing_in_steady_state()
    {
        byte[] input = ParsedStream.Bytes(
            "*3\r\n$3\r\nSET\r\n$16\r\n0123456789abcdef\r\n$3\r\nabc\r\n*2\r\n$3\r\nGET\r\n$100\r\n"
                + new string('k', 100)
                + "\r\nSET a \"b c\"\r\n"
        );
        var parser = new RequestParser();
        var table = new ArgumentTable();
        int requests = 0;
        for (int round = 0; round < 3; round++)
        {
            long before = GC.GetAllocatedBytesForCurrentThread();
            for (int i = 0; i < 1000; i++)
            {
                int position = 0;
                while (parser.Parse(input, ref position, table, out _) == ParseStatus.Complete)
                    requests++;
                table.Clear();
            }
            if (round > 0)
                Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
        }
        Assert.Equal(9000, requests);
    }

    [Theory]
    [InlineData("POST", true)]
    [InlineData("post", true)]
    [InlineData("Host:", true)]
    [InlineData("host", false)]
    [InlineData("PING", false)]
    [InlineData("POST:", false)]
    public void Words_of_HTTP_are_known(string word, bool expected) =>
        Assert.Equal(expected, RequestParser.IsCrossProtocol(Encoding.ASCII.GetBytes(word)));
}
