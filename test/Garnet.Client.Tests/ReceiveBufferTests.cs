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
