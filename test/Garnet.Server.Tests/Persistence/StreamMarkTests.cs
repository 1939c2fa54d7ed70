// The file that lets replicas continue after a planned restart with the append-only log.
using Garnet.Server.Persistence;
using Xunit;

namespace Garnet.Server.Tests.Persistence;

public sealed class StreamMarkTests
{
    private static readonly StreamMark Mark = new("0123456789abcdef0123456789abcdef01234567", 1234, 5, 678);

    [Fact]
    public void It_is_read_as_it_was_written() => Assert.Equal(Mark, StreamMark.Parse(Mark.Format()));

    [Fact]
    public void A_cut_file_says_nothing()
    {
        string text = Mark.Format();
        for (int length = 0; length < text.Length; length++)
            Assert.Null(StreamMark.Parse(text[..length]));
        Assert.Null(StreamMark.Parse(text + "\n"));
    }

    [Theory]
    [InlineData("garnet-stream-mark 2\n0123456789abcdef0123456789abcdef01234567 1 0 1\n")]
    [InlineData("garnet-stream-mark 1\nshort 1 0 1\n")]
    [InlineData("garnet-stream-mark 1\n0123456789abcdef0123456789abcdef01234567 -1 0 1\n")]
    [InlineData("garnet-stream-mark 1\n0123456789abcdef0123456789abcdef01234567 1 0\n")]
    [InlineData("garnet-stream-mark 1\n0123456789abcdef0123456789abcdef01234567 99999999999999999999 0 1\n")]
    public void Another_text_says_nothing(string text) => Assert.Null(StreamMark.Parse(text));
}
