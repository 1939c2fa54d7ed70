// A server in memory that gives prepared replies. One reader and one writer.
using System.Text;
using System.Text.RegularExpressions;
using System.Threading.Channels;
using Garnet.Testing;

namespace Garnet.Caching.Tests.Links;

/// <summary>Answers each command by its name.</summary>
/// <param name="replies">The replies, in RESP.</param>
internal sealed partial class AnsweringStream(IReadOnlyDictionary<string, string> replies) : PeerStream
{
    private readonly Channel<byte[]> _incoming = Channel.CreateUnbounded<byte[]>();

    /// <summary>What was written, each time.</summary>
    public List<string> Writes { get; } = [];

    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        byte[] reply = await _incoming.Reader.ReadAsync(cancellationToken);
        reply.CopyTo(buffer);
        return reply.Length;
    }

    public override int Read(Span<byte> buffer) => throw new NotSupportedException();

    // A request is written whole.
    public override void Write(ReadOnlySpan<byte> buffer)
    {
        Writes.Add(Encoding.UTF8.GetString(buffer));
        foreach (Match command in CommandName().Matches(Writes[^1]))
            _incoming.Writer.TryWrite(Encoding.UTF8.GetBytes(replies[command.Groups[1].Value]));
    }

    [GeneratedRegex(@"\*\d+\r\n\$\d+\r\n(\w+)\r\n")]
    private static partial Regex CommandName();
}
