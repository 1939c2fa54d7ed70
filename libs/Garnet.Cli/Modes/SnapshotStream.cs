// A snapshot as a server sends it to replicas. One thread.
using System.Globalization;
using System.Text;
using Garnet.Cli.Connection;
using Garnet.Client;

namespace Garnet.Cli.Modes;

/// <summary>
/// Asks for a full resynchronization and passes on the bytes of the snapshot; the stream of changes follows on the connection.
/// </summary>
/// <param name="connection">The server.</param>
internal sealed class SnapshotStream(CliConnection connection)
{
    private const int MarkBytes = 40;
    private const int BufferBytes = 64 * 1024;
    private const int MaxLineBytes = 4096;
    private const string MarkPrefix = "$EOF:";

    private byte[] _mark = [];

    /// <summary>Its length; null if a mark at the end tells.</summary>
    public long? Length { get; private set; }

    /// <summary>Tells the server what is wanted, before <see cref="Begin"/>.</summary>
    /// <returns>Whether the server agrees.</returns>
    public bool Configure(string option, string value) => !connection.Call("REPLCONF", option, value).IsError;

    /// <summary>Asks for the snapshot; afterwards <see cref="Length"/> is known.</summary>
    /// <exception cref="CliException">The server refuses.</exception>
    public void Begin()
    {
        connection.Append("SYNC");
        connection.Flush();
        string line = ReadLine();
        if (line.StartsWith('-'))
            throw new CliException($"SYNC with the server failed: {line[1..]}");
        if (line.StartsWith(MarkPrefix, StringComparison.Ordinal) && line.Length >= MarkPrefix.Length + MarkBytes)
            _mark = Encoding.ASCII.GetBytes(line.Substring(MarkPrefix.Length, MarkBytes));
        else if (line.StartsWith('$') && long.TryParse(line.AsSpan(1), NumberStyles.None, CultureInfo.InvariantCulture, out long length))
            Length = length;
        else
            throw new CliException($"SYNC with the server failed: it answered '{line}'");
    }

    /// <summary>Receives the snapshot.</summary>
    /// <param name="write">Takes the bytes, without the mark.</param>
    /// <returns>The number of bytes.</returns>
    public long CopyTo(Action<ReadOnlyMemory<byte>> write) => Length is { } length ? CopyLength(length, write) : CopyToMark(write);

    private long CopyLength(long length, Action<ReadOnlyMemory<byte>> write)
    {
        byte[] buffer = new byte[BufferBytes];
        for (long rest = length; rest > 0; )
        {
            int read = connection.ReadRaw(buffer.AsSpan(0, (int)Math.Min(rest, buffer.Length)));
            write(buffer.AsMemory(0, read));
            rest -= read;
        }

        return length;
    }

    // The last bytes received are held back, as they may be the mark. The server sends nothing behind it before it is answered.
    private long CopyToMark(Action<ReadOnlyMemory<byte>> write)
    {
        byte[] buffer = new byte[BufferBytes];
        int held = 0;
        long total = 0;
        while (true)
        {
            int filled = held + connection.ReadRaw(buffer.AsSpan(held));
            bool isEnd = filled >= MarkBytes && buffer.AsSpan(filled - MarkBytes, MarkBytes).SequenceEqual(_mark);
            int ready = Math.Max(filled - MarkBytes, 0);
            write(buffer.AsMemory(0, ready));
            total += ready;
            if (isEnd)
                return total;
            buffer.AsSpan(ready, filled - ready).CopyTo(buffer);
            held = filled - ready;
        }
    }

    // While the snapshot is prepared, the server sends empty lines to show that it is alive.
    private string ReadLine()
    {
        var line = new StringBuilder();
        Span<byte> next = stackalloc byte[1];
        while (line.Length < MaxLineBytes)
        {
            connection.ReadRaw(next);
            if (next[0] != '\n')
                line.Append((char)next[0]);
            else if (line.Length > 0)
                break;
        }

        return line.ToString().TrimEnd('\r');
    }
}
