// The buffer of received bytes: what it keeps, and when it grows and shrinks.
using System.Text;
using Xunit;

namespace Garnet.Client.Tests;

public sealed class ReceiveBufferTests
{
    private const int MinBytes = 8;

    private readonly ReceiveBuffer _buffer = new(MinBytes);
    private readonly ReplyParser _parser = new();

    [Fact]
    public void Replies_come_out_whole_however_they_arrive()
    {
        foreach (char each in "$12\r\nhello, world\r\n+O")
        {
            Assert.False(_buffer.Space().IsEmpty);
            Receive(each.ToString());
            if (_buffer.TryTake(_parser) is { } reply)
                Assert.Equal("hello, world", reply.AsString());
        }

        Receive("K\r\n");
        Assert.Equal("OK", _buffer.TryTake(_parser)!.AsString());
        Assert.True(_buffer.IsEmpty);
        Assert.Null(_buffer.TryTake(_parser));
    }

    [Fact]
    public void Raw_bytes_are_taken_behind_replies()
    {
        Receive("+OK\r\nraw");
        Assert.NotNull(_buffer.TryTake(_parser));
        byte[] raw = new byte[2];
        Assert.Equal(2, _buffer.Take(raw));
        Assert.Equal("ra"u8, raw);
        Assert.Equal(1, _buffer.Take(raw));
        Assert.Equal(0, _buffer.Take(raw));
    }

    [Fact]
    public void Space_grows_with_a_large_reply_and_is_given_back()
    {
        Receive("$1000\r\n" + new string('x', 1000) + "\r\n");
        Assert.Equal(1000, _buffer.TryTake(_parser)!.Bytes.Length);
        Assert.Equal(MinBytes, _buffer.Space().Length);
    }

    [Fact]
    public void What_a_large_reply_needed_is_given_back_before_the_next_one_is_expected()
    {
        Receive("$1000\r\n" + new string('x', 1000) + "\r\n");
        Assert.NotNull(_buffer.TryTake(_parser));
        Assert.Equal(MinBytes, _buffer.Capacity);
    }

    [Fact]
    public void A_little_more_is_kept_until_it_is_trimmed_and_unused_bytes_always()
    {
        Receive("$100\r\n" + new string('x', 100) + "\r\n+O");
        Assert.NotNull(_buffer.TryTake(_parser));
        int grown = _buffer.Capacity;
        Assert.InRange(grown, 100, 512);
        _buffer.Trim();
        Assert.Equal(grown, _buffer.Capacity);
        Receive("K\r\n");
        Assert.Equal("OK", _buffer.TryTake(_parser)!.AsString());
        _buffer.Trim();
        Assert.Equal(MinBytes, _buffer.Capacity);
        Receive("+OK\r\n");
        Assert.Equal("OK", _buffer.TryTake(_parser)!.AsString());
    }

    // The command line tells from them what the peer is, if it is no server.
    [Fact]
    public void The_bytes_that_are_no_reply_are_held_also_after_a_large_one()
    {
        Receive("$1000\r\n" + new string('x', 1000) + "\r\n");
        Assert.NotNull(_buffer.TryTake(_parser));
        Receive("HTTP/1.1 400\r\n");
        Assert.Throws<RespProtocolException>(() => _buffer.TryTake(_parser));
        Assert.Equal("HTTP/1.1 400\r\n"u8, _buffer.Held);
    }

    private void Receive(string text)
    {
        byte[] bytes = Encoding.ASCII.GetBytes(text);
        for (int at = 0; at < bytes.Length; )
        {
            Memory<byte> space = _buffer.Space();
            int part = Math.Min(space.Length, bytes.Length - at);
            bytes.AsSpan(at, part).CopyTo(space.Span);
            _buffer.Add(part);
            at += part;
        }
    }
}
