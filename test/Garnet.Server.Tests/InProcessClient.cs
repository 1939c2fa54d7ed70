// One client of an in-process server: a pair of pipes without a scheduler of their own. Used by one thread at a time.
using System.Buffers;
using System.Globalization;
using System.IO.Pipelines;
using System.Text;
using Garnet.Server.Sessions;

namespace Garnet.Server.Tests;

/// <summary>
/// Sends requests and takes replies; text is one character a byte in both directions, so that any bytes can be written as a string.
/// </summary>
internal sealed class InProcessClient : IDisposable
{
    // No thresholds: a flush never waits for a reader, so a whole request is executed inside it.
    private static readonly PipeOptions Inline = new(
        readerScheduler: PipeScheduler.Inline,
        writerScheduler: PipeScheduler.Inline,
        pauseWriterThreshold: 0,
        useSynchronizationContext: false
    );

    private readonly Pipe _requests = new(Inline);
    private readonly Pipe _replies = new(Inline);
    private readonly Task _session;

    public InProcessClient(RespServer server, int protocolVersion, InProcessConnection? connection = null)
    {
        Connection = connection ?? new InProcessConnection();
        long[] before = [.. server.Clients.All.Select(client => client.Id)];
        _session = server.ServeAsync(new Ends(_requests.Reader, _replies.Writer), Connection);
        ClientSession? admitted = server.Clients.All.SingleOrDefault(client => !before.Contains(client.Id));
        if (admitted is not null)
            admitted.ProtocolVersion = protocolVersion;
        Session = admitted!;
    }

    /// <summary>The connection.</summary>
    public InProcessConnection Connection { get; }

    /// <summary>The server's side of this client; null when it was refused.</summary>
    public ClientSession Session { get; }

    /// <summary>True once the server ended the connection.</summary>
    public bool IsClosed => _session.IsCompleted;

    /// <summary>The request of a command as bytes, for sending it many times.</summary>
    public static byte[] Request(params string[] arguments)
    {
        ArrayBufferWriter<byte> bytes = new();
        Append(bytes, string.Create(CultureInfo.InvariantCulture, $"*{arguments.Length}\r\n"));
        foreach (string argument in arguments)
            Append(bytes, string.Create(CultureInfo.InvariantCulture, $"${argument.Length}\r\n{argument}\r\n"));
        return bytes.WrittenSpan.ToArray();
    }

    /// <summary>Calls a command and gives all that came back.</summary>
    public string Call(params string[] arguments)
    {
        Send(Request(arguments));
        return Receive();
    }

    /// <summary>Sends bytes; what they ask for has been executed on return, unless a command waits.</summary>
    public void Send(ReadOnlySpan<byte> bytes)
    {
        // Under the test framework's own context the session's continuations would go to the thread pool instead of running here.
        SynchronizationContext? context = SynchronizationContext.Current;
        SynchronizationContext.SetSynchronizationContext(null);
        _requests.Writer.Write(bytes);
        ValueTask<FlushResult> flush = _requests.Writer.FlushAsync();
        SynchronizationContext.SetSynchronizationContext(context);
        if (!flush.IsCompletedSuccessfully)
            throw new InvalidOperationException("The session did not run inline.");
        if (_session.IsFaulted)
            _session.GetAwaiter().GetResult();
    }

    /// <summary>Takes all replies that are there; an empty text when there are none.</summary>
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
            // The server gave the connection up, and with it what it had written.
            read = default;
            return false;
        }
    }

    /// <summary>Drops the replies that are there without looking at them, and says how many bytes they were.</summary>
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
        _session.Wait(TimeSpan.FromSeconds(10));
        _replies.Reader.Complete();
    }

    private static void Append(ArrayBufferWriter<byte> bytes, string text) => Encoding.Latin1.GetBytes(text, bytes);

    private sealed class Ends(PipeReader input, PipeWriter output) : IDuplexPipe
    {
        public PipeReader Input => input;

        public PipeWriter Output => output;
    }
}
