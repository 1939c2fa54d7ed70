// A primary's snapshot as a replica receives it: cut anywhere, cut off, and with wrong announcements.
using System.Text;
using Garnet.Server.Replication;
using Xunit;

namespace Garnet.Server.Tests.Replication;

public sealed class PayloadStreamTests : IDisposable
{
    private const string Mark = "0123456789abcdef0123456789abcdef01234567";
    private readonly InProcessServer _server = new();

    public void Dispose() => _server.Dispose();

    [Theory]
    [InlineData(1)]
    [InlineData(7)]
    [InlineData(39)]
    [InlineData(40)]
    [InlineData(41)]
    [InlineData(1000)]
    public async Task A_marked_snapshot_ends_before_its_mark(int pieceBytes)
    {
        string data = string.Concat(Enumerable.Range(0, 2000).Select(i => $"{Mark[..(i % 40)]}x{i}"));
        Assert.Equal(data, await ReadAsync($"\n\n$EOF:{Mark}\r\n{data}{Mark}", pieceBytes));
        Assert.Equal("", await ReadAsync($"$EOF:{Mark}\r\n{Mark}", pieceBytes));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(1000)]
    public async Task A_counted_snapshot_ends_where_it_says(int pieceBytes)
    {
        Assert.Equal("abcdef", await ReadAsync("$6\r\nabcdef*1\r\n$4\r\nPING\r\n", pieceBytes));
        Assert.Equal("", await ReadAsync("$0\r\n", pieceBytes));
    }

    [Theory]
    [InlineData("$EOF:short\r\n")]
    [InlineData("$-1\r\n")]
    [InlineData("$x\r\n")]
    [InlineData("-ERR no\r\n")]
    [InlineData("+OK\r\n")]
    public async Task Another_announcement_is_an_error(string line) => await Assert.ThrowsAsync<IOException>(() => ReadAsync(line, 1000));

    [Theory]
    [InlineData("")]
    [InlineData("\n\n\n")]
    [InlineData("$6\r\nabc")]
    [InlineData("$EOF:0123456789abcdef0123456789abcdef01234567\r\nabc")]
    [InlineData("$EOF:0123456789abcdef0123456789abcdef01234567\r\nabc0123456789abcdef0123456789abcdef0123456")]
    public async Task A_connection_that_ends_early_is_an_error(string sent) =>
        await Assert.ThrowsAsync<EndOfStreamException>(() => ReadAsync(sent, 3));

    [Fact]
    public async Task A_line_without_end_is_an_error()
    {
        IOException error = await Assert.ThrowsAsync<IOException>(() => ReadAsync(new string('$', 100_000), 1000));
        Assert.Contains("too long", error.Message, StringComparison.Ordinal);
    }

    // Into a small buffer, a large one, and both in turn.
    private async Task<string> ReadAsync(string sent, int pieceBytes)
    {
        string text = await ReadAsync(sent, pieceBytes, static _ => 64);
        Assert.Equal(text, await ReadAsync(sent, pieceBytes, static _ => 20_000));
        Assert.Equal(text, await ReadAsync(sent, pieceBytes, static read => read % 3 == 0 ? 64 : 16 * 1024));
        return text;
    }

    private async Task<string> ReadAsync(string sent, int pieceBytes, Func<int, int> bufferBytes)
    {
        using PrimaryConnection connection = new(
            _server.Server.Clock,
            _server.Server.Replication,
            _server.Server.Persistence,
            new PieceStream(Encoding.Latin1.GetBytes(sent), pieceBytes)
        );
        await using PayloadStream payload = await PayloadStream.OpenAsync(connection, CancellationToken.None);
        using MemoryStream target = new();
        byte[] buffer = new byte[20_000];
        int received;
        for (int read = 0; (received = payload.Read(buffer, 0, bufferBytes(read))) > 0; read++)
            target.Write(buffer, 0, received);
        payload.Finish();
        return Encoding.Latin1.GetString(target.ToArray());
    }
}
