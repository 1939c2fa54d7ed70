// One client of an in-process server: a pair of pipes that run continuations inline. Used by one thread at a time.
using System.Buffers;
using System.Globalization;
using System.IO.Pipelines;
using System.Runtime.CompilerServices;
using System.Text;
using System.Text.Unicode;
using Garnet.Engine.Execution;
using Garnet.Server.Composition;

namespace Garnet.Server.Tests;

/// <summary>
/// Sends requests and receives replies; text has one character per byte in both directions, so that any bytes can be written as a string.
/// </summary>
internal sealed class InProcessClient : IDisposable
{
    // No thresholds: a flush never waits for a reader, so a whole request is executed within it.
    private static readonly PipeOptions Inline = new(
        readerScheduler: PipeScheduler.Inline,
        writerScheduler: PipeScheduler.Inline,
        pauseWriterThreshold: 0,
        useSynchronizationContext: false
    );

    private const int MaxHeaderBytes = 1 + 10 + 2; // type, digits, end of line

    private readonly Pipe _requests = new(Inline);
    private readonly Pipe _replies = new(Inline);
    private readonly WatchedReader _input;
    private readonly Task _session;

    public InProcessClient(RespServer server, int protocolVersion, InProcessConnection? connection = null)
    {
        Connection = connection ?? new InProcessConnection();
        _input = new WatchedReader(_requests.Reader, Connection);
        long[] before = [.. server.Clients.All.Select(client => client.Id)];
        _session = server.Connections.ServeAsync(new Ends(_input, _replies.Writer), Connection);
        ClientSession? admitted = server.Clients.All.SingleOrDefault(client => !before.Contains(client.Id));
        if (admitted is not null && protocolVersion != 2)
            admitted.ProtocolVersion = protocolVersion;
        Session = admitted!;
    }

    public InProcessConnection Connection { get; }

    /// <summary>The server's session of this client; null if it was refused.</summary>
    public ClientSession Session { get; }

    /// <summary>Called before requests are sent; then <see cref="Send"/> also waits for values that another client has begun to read.</summary>
    public Action? BeforeRequests { get; init; }

    /// <summary>Whether the server has closed the connection.</summary>
    public bool IsClosed => _session.IsCompleted;

    /// <summary>Whether the session waits for a request, so that the next one is executed within <see cref="Send"/>.</summary>
    public bool IsReady => _input.IsAwaited;

    /// <summary>The encoded request of a command, for sending it many times.</summary>
    public static byte[] Request(params string[] arguments)
    {
        ArrayBufferWriter<byte> bytes = new();
        AppendHeader(bytes, '*', arguments.Length);
        foreach (string argument in arguments)
        {
            AppendHeader(bytes, '$', argument.Length);
            Encoding.Latin1.GetBytes(argument, bytes);
            bytes.Write("\r\n"u8);
        }

        return bytes.WrittenSpan.ToArray();
    }

    /// <summary>Calls a command and returns everything received.</summary>
    public string Call(params string[] arguments)
    {
        Send(Request(arguments));
        return Receive();
    }

    /// <summary>Sends bytes; on return the commands in them have been executed, unless one waits.</summary>
    public void Send(ReadOnlySpan<byte> bytes)
    {
        BeforeRequests?.Invoke();
        // With the test framework's synchronization context, the session's continuations would run on the thread pool instead of here.
        SynchronizationContext? context = SynchronizationContext.Current;
        SynchronizationContext.SetSynchronizationContext(null);
        _requests.Writer.Write(bytes);
        Connection.Owner?.Enter();
        ValueTask<FlushResult> flush = _requests.Writer.FlushAsync();
        Connection.Owner?.Leave();
        SynchronizationContext.SetSynchronizationContext(context);
        if (!flush.IsCompletedSuccessfully)
            throw new InvalidOperationException("The session did not run inline.");
        if (BeforeRequests is not null)
            SpinWait.SpinUntil(() => IsReady || IsClosed || Session.Wait.IsBlocked);
        if (_session.IsFaulted)
            _session.GetAwaiter().GetResult();
    }

    /// <summary>Runs an action when the next reply is sent: on the session's thread, before the session continues.</summary>
    public void WhenSent(Action action)
    {
        ValueTaskAwaiter<ReadResult> sent = _replies.Reader.ReadAsync().GetAwaiter();
        sent.UnsafeOnCompleted(() =>
        {
            // What was sent stays unread.
            _replies.Reader.AdvanceTo(sent.GetResult().Buffer.Start);
            action();
        });
    }

    /// <summary>Returns all replies received so far; empty if there are none.</summary>
    public string Receive()
    {
        if (!TryRead(out ReadResult read))
            return "";
        string text = Encoding.Latin1.GetString(read.Buffer);
        _replies.Reader.AdvanceTo(read.Buffer.End);
        return text;
    }

    private bool TryRead(out ReadResult read)
    {
        try
        {
            return _replies.Reader.TryRead(out read);
        }
        catch (IOException)
        {
            // The server has abandoned the connection, and everything it had written.
            read = default;
            return false;
        }
    }

    /// <summary>Discards the replies received so far, and returns their size in bytes.</summary>
    public long Discard()
    {
        if (!_replies.Reader.TryRead(out ReadResult read))
            return 0;
        long length = read.Buffer.Length;
        _replies.Reader.AdvanceTo(read.Buffer.End);
        return length;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        Connection.Abort();
        _requests.Writer.Complete();
        for (int i = 0; i < 1000 && !_session.Wait(TimeSpan.FromMilliseconds(10)); i++)
            Connection.Owner?.RunRound();
        _replies.Reader.Complete();
    }

    private static void AppendHeader(ArrayBufferWriter<byte> bytes, char type, int number)
    {
        Utf8.TryWrite(bytes.GetSpan(MaxHeaderBytes), CultureInfo.InvariantCulture, $"{type}{number}\r\n", out int written);
        bytes.Advance(written);
    }

    private sealed class Ends(PipeReader input, PipeWriter output) : IDuplexPipe
    {
        public PipeReader Input => input;

        public PipeWriter Output => output;
    }
}
