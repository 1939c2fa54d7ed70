// A primary that says what a test tells it to, whatever it is asked. Any thread.
using System.Text;
using Garnet.Server.Replication;

namespace Garnet.Server.Tests.Replication;

/// <summary>The first connection brings the given text and ends; further attempts fail.</summary>
internal sealed class ScriptedPrimary(string text, int pieceBytes = 1000) : IServerConnector
{
    public const string Id = "0123456789abcdef0123456789abcdef01234567";

    /// <summary>Answers to PING and twice REPLCONF: a server without a TCP endpoint announces no port.</summary>
    public const string Handshake = "+PONG\r\n+OK\r\n+OK\r\n";

    /// <summary>A snapshot without keys or checksum, of position 100.</summary>
    public static readonly string EmptySnapshot = $"+FULLRESYNC {Id} 100\r\n$18\r\nREDIS0010\u00ff" + new string('\0', 8);

    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int _connections;

    /// <summary>Completes when the server has dealt with all of it, and closes the connection.</summary>
    public Task Ended => _ended.Task;

    public Task<Stream> ConnectAsync(string host, int port, GarnetOptions options, CancellationToken cancellationToken)
    {
        if (Interlocked.Increment(ref _connections) == 1)
            return Task.FromResult<Stream>(new PieceStream(Encoding.Latin1.GetBytes(text), pieceBytes, () => _ended.TrySetResult()));
        throw new IOException("There is nobody.");
    }
}
