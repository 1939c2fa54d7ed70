// Large arguments that the caller receives past the parser. Single-threaded.
using System.Text;
using Xunit;

namespace Garnet.Protocol.Tests;

public sealed class PendingBulkTests
{
    private const int Threshold = 16 * 1024;

    [Fact]
    public void A_large_incomplete_argument_is_reported_with_what_is_there()
    {
        var parser = new RequestParser { PendingBulkThreshold = Threshold };
        var table = new ArgumentTable();
        byte[] head = "PING\r\n*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$20000\r\nabcde"u8.ToArray();
        int position = 0;
        Assert.Equal(ParseStatus.Complete, parser.Parse(head, ref position, table, out _));
        Assert.Equal(ParseStatus.PendingBulk, parser.Parse(head, ref position, table, out _));
        Assert.Equal(new PendingBulk(2, 20000, head.Length - 5, 5), parser.Pending);
        Assert.Equal(6, position);
    }

    [Fact]
    public void Small_arguments_and_complete_payloads_are_not_reported()
    {
        var parser = new RequestParser { PendingBulkThreshold = Threshold };
        var table = new ArgumentTable();
        int position = 0;
        Assert.Equal(ParseStatus.NeedMore, parser.Parse("*1\r\n$16383\r\nabc"u8, ref position, table, out _));
        parser.Reset();
        byte[] withoutLineEnd = [.. "*1\r\n$16384\r\n"u8, .. new byte[Threshold], (byte)'\r'];
        Assert.Equal(ParseStatus.NeedMore, parser.Parse(withoutLineEnd, ref position, table, out _));
    }

    [Fact]
    public void A_reported_argument_may_still_be_buffered()
    {
        byte[] input = [.. "*2\r\n$4\r\nECHO\r\n$20000\r\n"u8, .. Encoding.ASCII.GetBytes(new string('v', 20000)), .. "\r\nPING\r\n"u8];
        for (int cut = 0; cut < input.Length; cut += 997)
        {
            var stream = new ParsedStream(new RequestParser { PendingBulkThreshold = Threshold });
            stream.Receive(input.AsSpan(0, cut));
            stream.Receive(input.AsSpan(cut));
            Assert.Equal(["[ECHO][" + new string('v', 20000) + "]", "[PING]"], stream.Requests);
        }
    }

    [Theory]
    [InlineData("\r\n$2\r\nEX\r\n$1\r\n9\r\n*1\r\n$4\r\nPING\r\n")]
    public void A_taken_argument_is_external_and_parsing_continues_after_it(string after)
    {
        byte[] rest = Encoding.ASCII.GetBytes(after);
        for (int cut = 0; cut <= rest.Length; cut++)
        {
            var parser = new RequestParser { PendingBulkThreshold = Threshold };
            var external = new KeptArguments();
            var table = new ArgumentTable { External = external };
            byte[] head = "*5\r\n$3\r\nSET\r\n$1\r\nk\r\n$20000\r\nvvv"u8.ToArray();
            int position = 0;
            Assert.Equal(ParseStatus.PendingBulk, parser.Parse(head, ref position, table, out _));
            Assert.Equal(head.Length - 3, parser.Detach(head, table));
            parser.TakePendingBulk(external.Keep(Encoding.ASCII.GetBytes(new string('v', 20000))));

            position = 0;
            byte[] buffer = rest[..cut];
            ParseStatus status = parser.Parse(buffer, ref position, table, out RequestRange request);
            if (status == ParseStatus.NeedMore)
            {
                buffer = [.. new byte[2], .. rest];
                position += 2;
                status = parser.Parse(buffer, ref position, table, out request);
            }

            Assert.Equal(ParseStatus.Complete, status);
            Assert.Equal(5, request.ArgumentCount);
            Assert.Equal("k", Encoding.ASCII.GetString(table.Get(buffer, 1)));
            Assert.True(table[2].IsExternal);
            Assert.Equal(20000, table[2].Length);
            Assert.Equal(new string('v', 20000), Encoding.ASCII.GetString(table.Get(buffer, 2)));
            Assert.Equal("EX", Encoding.ASCII.GetString(table.Get(buffer, 3)));
            Assert.Equal("9", Encoding.ASCII.GetString(table.Get(buffer, 4)));
        }
    }

    [Fact]
    public void A_taken_argument_must_be_followed_by_its_line_end()
    {
        var parser = new RequestParser { PendingBulkThreshold = Threshold };
        var external = new KeptArguments();
        var table = new ArgumentTable { External = external };
        byte[] head = "*1\r\n$20000\r\n"u8.ToArray();
        int position = 0;
        Assert.Equal(ParseStatus.PendingBulk, parser.Parse(head, ref position, table, out _));
        Assert.Throws<InvalidOperationException>(() => parser.TakePendingBulk(0));
        parser.Detach(head, table);
        parser.TakePendingBulk(external.Keep(new byte[20000]));
        position = 0;
        Assert.Equal(ParseStatus.Error, parser.Parse("xy"u8, ref position, table, out _));
        Assert.Equal(ProtocolError.InvalidLineEnd, parser.Error);
        Assert.Throws<InvalidOperationException>(() => new RequestParser().TakePendingBulk(0));
    }

    [Fact]
    public void The_rest_of_a_detached_request_is_parsed_once_more_after_a_restore()
    {
        byte[] input = "*0\r\n*4\r\n$4\r\nMSET\r\n$1\r\na\r\n$2\r\nbb\r\n$1\r\nc\r\n*1\r\n$4\r\nPING\r\n"u8.ToArray();
        for (int cut = 9; cut < 36; cut++)
        {
            var parser = new RequestParser();
            var table = new ArgumentTable { External = new KeptArguments() };
            int position = 0;
            Assert.Equal(ParseStatus.NeedMore, parser.Parse(input.AsSpan(0, cut), ref position, table, out _));
            byte[] rest = input[parser.Detach(input.AsSpan(0, cut), table)..];
            ParserState state = parser.Save();
            for (int time = 0; time < 3; time++)
            {
                table.Clear();
                position = 0;
                Assert.Equal(ParseStatus.Complete, parser.Parse(rest, ref position, table, out RequestRange request));
                Assert.Equal(new RequestRange(0, 4), request);
                Assert.Equal("MSETabbc", string.Concat(Enumerable.Range(0, 4).Select(i => Encoding.ASCII.GetString(table.Get(rest, i)))));
                Assert.True(parser.TakeSkipped());
                Assert.Equal(ParseStatus.Complete, parser.Parse(rest, ref position, table, out request));
                Assert.Equal(new RequestRange(4, 1), request);
                parser.Restore(state);
            }
        }
    }
}
