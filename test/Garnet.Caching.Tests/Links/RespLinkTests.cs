// What a link makes of replies that a busy server can give.
using System.Net;
using System.Net.Sockets;
using Garnet.Caching.Links;
using Garnet.Client;
using Xunit;

namespace Garnet.Caching.Tests.Links;

public sealed class RespLinkTests : IDisposable
{
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);

    public RespLinkTests() => _listener.Start();

    public void Dispose() => _listener.Dispose();

    // Another client set the key after PTTL and before GET: an entry without a time to live would count as expired, and be loaded again.
    [Theory]
    [InlineData(":-2\r\n", "$1\r\nx\r\n", null, -2)]
    [InlineData(":9\r\n", "$-1\r\n", null, -2)]
    [InlineData(":9\r\n", "$1\r\nx\r\n", "x", 9)]
    [InlineData(":-1\r\n", "$1\r\nx\r\n", "x", -1)]
    public async Task A_key_that_appears_between_the_two_reads_is_not_there_yet(string left, string value, string? read, long leftMs)
    {
        await using RespLink link = Create(Replies(left, value));
        StoredBytes[] all = [await link.ReadAsync("k"u8.ToArray(), withTime: true), .. await link.ReadManyAsync(["k"u8.ToArray()])];
        foreach (StoredBytes stored in all)
        {
            Assert.Equal(read, stored.Bytes is { } bytes ? System.Text.Encoding.UTF8.GetString(bytes.Span) : null);
            Assert.Equal(leftMs, stored.LeftMs);
        }
    }

    // A second write would cost a hop to another thread, and as much as the first.
    [Fact]
    public async Task The_commands_of_a_read_are_written_together()
    {
        AnsweringStream server = Replies(":9\r\n", "$1\r\nx\r\n");
        await using RespLink link = Create(server);
        await link.ReadAsync("k"u8.ToArray(), withTime: true);
        server.Writes.Clear();
        string read = "*2\r\n$4\r\nPTTL\r\n$1\r\nk\r\n*2\r\n$3\r\nGET\r\n$1\r\nk\r\n";
        await link.ReadAsync("k"u8.ToArray(), withTime: true);
        await link.ReadManyAsync(["k"u8.ToArray(), "k"u8.ToArray()]);
        Assert.Equal([read, read + read], server.Writes);
        Assert.Empty(await link.ReadManyAsync([]));
    }

    private static AnsweringStream Replies(string left, string value) =>
        new(
            new Dictionary<string, string>
            {
                ["HELLO"] = "+OK\r\n",
                ["PTTL"] = left,
                ["GET"] = value,
            }
        );

    private RespLink Create(AnsweringStream server) =>
        new(
            new RespMultiplexerOptions
            {
                EndPoint = (IPEndPoint)_listener.LocalEndpoint,
                StreamFilter = (_, _) => ValueTask.FromResult<Stream>(server),
            },
            []
        );
}
