// --pipe: requests from standard input, as they are. One thread sends, one receives; then the process ends.
using System.Diagnostics;
using System.Security.Cryptography;
using System.Text;
using Garnet.Cli.Connection;
using Garnet.Cli.Options;
using Garnet.Cli.Output;
using Garnet.Client;

namespace Garnet.Cli.Modes;

/// <summary>
/// Sends and receives at the same time, so that neither side waits for the other's buffers; an ECHO at the end marks the last reply.
/// </summary>
/// <param name="options">The timeout.</param>
/// <param name="host">Requests and messages.</param>
/// <param name="connection">The server.</param>
internal sealed class PipeMode(CliOptions options, CliHost host, CliConnection connection)
{
    private const int BufferBytes = 256 * 1024;
    private const int MarkBytes = 20;

    private readonly byte[] _mark = RandomNumberGenerator.GetBytes(MarkBytes);
    private volatile Exception? _failure;
    private long _sentAt;
    private long _receivedAt;
    private volatile bool _hasTimedOut;

    /// <summary>Runs it.</summary>
    /// <returns>The exit code: 0 if all were answered, and without errors.</returns>
    public int Run()
    {
        var replies = new ReplySkimmer(_mark) { OnError = ReportError };
        var sender = new Thread(Send) { IsBackground = true, Name = "garnet-cli-pipe" };
        sender.Start();
        using Timer watch = new(_ => EndLateReplies(), null, TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(1));
        bool isComplete = TryReceive(replies);
        long errors = replies.Errors + (isComplete ? 0 : 1);
        Print($"errors: {errors}, replies: {replies.Replies}\n");
        return errors == 0 ? 0 : 1;
    }

    private bool TryReceive(ReplySkimmer replies)
    {
        byte[] buffer = new byte[BufferBytes];
        int filled = 0;
        var progress = new ProgressLine(host);
        try
        {
            while (!replies.IsMarked)
            {
                if (filled == buffer.Length)
                    Array.Resize(ref buffer, buffer.Length * 2);
                filled += connection.ReadRaw(buffer.AsSpan(filled));
                Volatile.Write(ref _receivedAt, Stopwatch.GetTimestamp());
                int done = replies.Skim(buffer.AsSpan(0, filled));
                buffer.AsSpan(done, filled - done).CopyTo(buffer);
                filled -= done;
                progress.Show(replies.Replies, null, "replies");
            }

            progress.End();
            Print("Last reply received from server.\n");
            return true;
        }
        catch (ConnectionLostException) when (_hasTimedOut)
        {
            ReportError(Encoding.ASCII.GetBytes($"No replies for {options.PipeTimeout.TotalSeconds:F0} seconds: exiting."));
            return false;
        }
        catch (Exception e) when (e is ConnectionLostException or RespProtocolException)
        {
            throw new CliException($"Error reading replies from server: {(_failure ?? e).Message}");
        }
    }

    private void Send()
    {
        byte[] buffer = new byte[BufferBytes];
        try
        {
            using Stream input = host.OpenInput();
            for (int read = input.Read(buffer); read > 0; read = input.Read(buffer))
                connection.Send(buffer.AsSpan(0, read));
            // Before the mark is sent, as its reply may be the faster one.
            Print("All data transferred. Waiting for the last reply...\n");
            // A line end before it closes what the input may have left open.
            connection.Send([.. "\r\n*2\r\n$4\r\nECHO\r\n$20\r\n"u8, .. _mark, .. "\r\n"u8]);
            Volatile.Write(ref _sentAt, Stopwatch.GetTimestamp());
        }
        catch (Exception e) when (e is ConnectionLostException or IOException or UnauthorizedAccessException or CliException)
        {
            _failure = e;
            connection.Abort();
        }
    }

    private void EndLateReplies()
    {
        long sent = Volatile.Read(ref _sentAt);
        long since = Math.Max(sent, Volatile.Read(ref _receivedAt));
        if (sent == 0 || options.PipeTimeout == TimeSpan.Zero || Stopwatch.GetElapsedTime(since) <= options.PipeTimeout)
            return;
        _hasTimedOut = true;
        connection.Abort();
    }

    private void ReportError(ReadOnlyMemory<byte> error)
    {
        var text = new ByteText(host.ErrorIsTerminal);
        text.AppendValue(error.Span);
        text.Append("\n"u8);
        host.Error.Write(text.Written);
    }

    private void Print(string line) => host.Output.Write(Encoding.ASCII.GetBytes(line));
}
