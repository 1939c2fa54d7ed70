// A connection to a target of MIGRATE. Used by one task at a time.
using System.Text;

namespace Garnet.Server.Migration;

/// <summary>Sends requests, and reads replies of one line, which are bounded: what the target sends is not trusted.</summary>
internal sealed class TargetConnection(Stream stream) : IDisposable
{
    private const int MaxLineBytes = 1024;
    private const int BufferBytes = 16 * 1024;

    // A larger piece would let a slow target exceed the timeout although it makes progress.
    private const int PieceBytes = 64 * 1024;

    private readonly byte[] _buffer = new byte[BufferBytes];
    private int _start;
    private int _end;

    /// <summary>The database selected at the target; null when none was.</summary>
    public long? Database { get; set; }

    /// <summary>Whether the target has accepted the login.</summary>
    public bool IsLoggedIn { get; set; }

    /// <summary>Whether it was used by an earlier command, so that the target may have closed it meanwhile.</summary>
    public bool IsReused { get; set; }

    /// <summary>Unix milliseconds at which it was last returned.</summary>
    public long IdleSinceMs { get; set; }

    /// <summary>Whether nothing is left unread; otherwise it cannot be used again.</summary>
    public bool IsInStep => _start == _end;

    /// <summary>Sends requests.</summary>
    public async Task SendAsync(ReadOnlyMemory<byte> requests, TargetPatience patience)
    {
        for (int sent = 0; sent < requests.Length; )
        {
            ReadOnlyMemory<byte> piece = requests.Slice(sent, Math.Min(PieceBytes, requests.Length - sent));
            patience.Renew();
            await stream.WriteAsync(piece, patience.Token).ConfigureAwait(false);
            sent += piece.Length;
        }

        await stream.FlushAsync(patience.Token).ConfigureAwait(false);
    }

    /// <summary>Reads a line without its end, one character per byte.</summary>
    /// <exception cref="IOException">The connection ended, or the line is too long.</exception>
    public async ValueTask<string> ReadLineAsync(TargetPatience patience)
    {
        while (true)
        {
            ReadOnlySpan<byte> unread = _buffer.AsSpan(_start, _end - _start);
            int length = unread.IndexOf((byte)'\n');
            if (length is >= 0 and <= MaxLineBytes)
            {
                string line = Encoding.Latin1.GetString(unread[..length]).TrimEnd('\r');
                _start += length + 1;
                return line;
            }

            if (length > MaxLineBytes || unread.Length > MaxLineBytes)
                throw new IOException("The reply is too long.");
            if (_start > 0)
            {
                unread.CopyTo(_buffer);
                (_start, _end) = (0, unread.Length);
            }

            patience.Renew();
            int received = await stream.ReadAsync(_buffer.AsMemory(_end), patience.Token).ConfigureAwait(false);
            if (received == 0)
                throw new EndOfStreamException("The target has closed the connection.");
            _end += received;
        }
    }

    /// <inheritdoc/>
    public void Dispose() => stream.Dispose();
}
