// Runs commands without a connection. Rented from a pool; used by one caller at a time, on any thread.
using System.Buffers;
using System.Buffers.Text;
using Garnet.Client;
using Garnet.Engine.Execution;
using Garnet.Engine.Rules;
using Garnet.Protocol;
using Garnet.Server.Modules;
using Garnet.Server.Persistence;
using Garnet.Server.Sessions;

namespace Garnet.Hosting.InProcess;

/// <summary>
/// Begin, Add the arguments, Run, look at the reply, <see cref="Reset"/>. The arguments are copied side by side and handed to the
/// dispatcher as a parsed request would be; the reply is RESP3 in memory of the session's own.
/// </summary>
internal sealed class InProcessSession : IDisposable
{
    private const int KeptBytes = 64 * 1024;
    private const int RespVersion = 3;

    private readonly SessionParts _parts;
    private readonly ClientSession _client;
    private readonly InProcessConnection _connection;
    private readonly ReplyBuffer _reply = new();
    private ArgumentRange[] _ranges = new ArgumentRange[16];
    private byte[] _request = new byte[512];
    private int _count;
    private int _used;
    private Command? _command;
    private PendingReply? _pending;
    private FilteredRequest? _filtered;

    public InProcessSession(ClientFactory clients, SessionParts parts, CancellationToken closed)
    {
        _parts = parts;
        _connection = new InProcessConnection(closed);
        _client = clients.Open(_connection, id: 0, Origin.InProcess);
        _client.ProtocolVersion = RespVersion;
        _client.Store.Barrier.MayBeGuest = true;
        _client.Login.Begin(user: null);
    }

    /// <summary>True when a command failed in an unforeseen way, so that the session may not be used again.</summary>
    public bool IsBroken { get; private set; }

    /// <summary>Where its pool looks for it; the pool's own.</summary>
    public int PoolIndex { get; set; }

    /// <summary>Starts a command. <paramref name="keepsBlock"/>: a large value may be kept by reference.</summary>
    public void Begin(Command? command, ReadOnlySpan<byte> name, int database, bool keepsBlock = false)
    {
        _command = command;
        _client.Store.Database = database;
        _connection.KeepsBlock = keepsBlock;
        Add(name);
    }

    /// <summary>Starts a command.</summary>
    public void Begin(Command? command, string name, int database)
    {
        _command = command;
        _client.Store.Database = database;
        _connection.KeepsBlock = false;
        Add(name);
    }

    /// <summary>Adds an argument.</summary>
    public void Add(ReadOnlySpan<byte> argument)
    {
        argument.CopyTo(Reserve(argument.Length));
        Commit(argument.Length);
    }

    /// <summary>Adds a number's digits.</summary>
    public void Add(long number)
    {
        Utf8Formatter.TryFormat(number, Reserve(IntegerText.MaxLength), out int length);
        Commit(length);
    }

    /// <summary>Adds a text's UTF-8 bytes.</summary>
    public void Add(string text)
    {
        int length = System.Text.Encoding.UTF8.GetByteCount(text);
        System.Text.Encoding.UTF8.GetBytes(text, Reserve(length));
        Commit(length);
    }

    /// <summary>Runs the command to its end; holds the thread while it has to wait.</summary>
    public void Run()
    {
        while (TryRun() is { } wait)
            wait.GetAwaiter().GetResult();
        bool mustHold = _pending is null && MustHold();
        if (mustHold || _pending is not null)
            FinishAsync(mustHold, CancellationToken.None).GetAwaiter().GetResult();
    }

    /// <summary>As <see cref="Run"/>, without holding a thread.</summary>
    public ValueTask RunAsync(CancellationToken cancellationToken)
    {
        Task? wait = TryRun();
        if (wait is not null)
            return new ValueTask(WaitAsync(wait, cancellationToken));
        bool mustHold = _pending is null && MustHold();
        return mustHold || _pending is not null ? new ValueTask(FinishAsync(mustHold, cancellationToken)) : ValueTask.CompletedTask;
    }

    /// <summary>The reply; an error is thrown.</summary>
    public RespValue Reply
    {
        get
        {
            ThrowIfError();
            int position = 0;
            return new ReplyParser().Parse(_reply.Written, ref position)
                ?? throw new InvalidOperationException("A command has left its reply unfinished.");
        }
    }

    /// <summary>The number of an integer reply; an error is thrown.</summary>
    public long Integer
    {
        get
        {
            ReadOnlySpan<byte> reply = Expect((byte)':');
            return Utf8Parser.TryParse(reply[1..], out long value, out _) ? value : throw Unexpected();
        }
    }

    /// <summary>Whether the reply is null; an error is thrown.</summary>
    public bool IsNull
    {
        get
        {
            ThrowIfError();
            return _reply.Written[0] == (byte)'_';
        }
    }

    /// <summary>The bytes of a bulk string; an error is thrown. Valid until <see cref="Reset"/>.</summary>
    public ReadOnlySpan<byte> Bulk
    {
        get
        {
            ReadOnlySpan<byte> reply = Expect((byte)'$');
            if (_connection.HasBlock)
                return _connection.Block;
            if (!Utf8Parser.TryParse(reply[1..], out int length, out int digits))
                throw Unexpected();
            return reply.Slice(digits + 3, length);
        }
    }

    /// <summary>Copies the bytes of a bulk string; false for null. An error is thrown.</summary>
    public bool TryWriteBulk(IBufferWriter<byte> destination)
    {
        if (IsNull)
            return false;
        destination.Write(Bulk);
        return true;
    }

    /// <summary>Throws when the reply is an error.</summary>
    /// <exception cref="GarnetCommandException">It is.</exception>
    public void ThrowIfError()
    {
        ReadOnlySpan<byte> reply = _reply.Written;
        if (reply[0] == (byte)'-')
            throw new GarnetCommandException(System.Text.Encoding.UTF8.GetString(reply[1..^2]));
    }

    /// <summary>Forgets an open MULTI and the watched keys.</summary>
    public void EndTransaction() => _client.Transactions.Reset();

    /// <summary>Drops request and reply, so that the next command can begin.</summary>
    public void Reset()
    {
        _connection.ReleaseBlock();
        _count = 0;
        _used = 0;
        _command = null;
        _pending = null;
        _client.Wait = default;
        _filtered?.Forget();
        if (_request.Length > KeptBytes)
            _request = new byte[512];
        if (_reply.Written.Length > KeptBytes)
            _reply.Dispose();
        _reply.Clear();
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        Reset();
        _reply.Dispose();
        _client.Dispose();
    }

    // Null when the command has run (or waits for its reply), else what to wait for before it is tried again.
    private Task? TryRun()
    {
        ThreadScratch thread = _client.Executor.Threads.Current;
        IsBroken = true;
        // The key's bucket, then its record, come from memory while the rest gets ready.
        int key = _command?.SimpleFirstKey ?? 0;
        bool isKeyed = key != 0 && key < _count;
        ulong hash = isKeyed ? _client.Store.Hash(_request.AsSpan(_ranges[key].Offset, _ranges[key].Length)) : 0;
        if (isKeyed)
            _client.Store.PrefetchBucket(hash);
        RespWriter reply = new(_reply, RespVersion) { ErrorObserver = thread.Counters.Errors };
        using Batch batch = _client.Executor.Enter(_client, thread, reply);
        ref CommandContext context = ref batch.Context;
        context.Load(_request.AsSpan(0, _used), _ranges.AsSpan(0, _count));
        context.RequestBytes = _used;
        if (isKeyed)
        {
            context.SetFirstKeyHash(hash);
            _client.Store.Reads.PrefetchRecord(hash);
        }

        batch.Begin(1);
        Admission admission = _parts.Filters.AreOn
            ? _parts.Filters.Execute(ref batch.Self, _command, _filtered ??= new FilteredRequest())
            : batch.Execute(_command);
        batch.Complete();
        IsBroken = false;
        if (admission == Admission.Wait)
            return _client.Wait.Before;
        batch.Flush();
        _pending = context.Pending;
        return null;
    }

    // With appendfsync always a reply waits until everything that it may reveal is on disk; the reply QUEUED reveals nothing.
    private bool MustHold()
    {
        if (_client.Transactions.Open is not null)
            return false;
        return ReplyHold.IsDue(_client, _parts.AppendOnly, out _);
    }

    private async Task WaitAsync(Task? wait, CancellationToken cancellationToken)
    {
        while (wait is not null)
        {
            await wait.WaitAsync(cancellationToken).ConfigureAwait(false);
            wait = TryRun();
        }

        await FinishAsync(_pending is null && MustHold(), cancellationToken).ConfigureAwait(false);
    }

    private async Task FinishAsync(bool mustHold, CancellationToken cancellationToken)
    {
        if (_pending is { } pending)
        {
            IsBroken = true;
            await AwaitPendingAsync(pending, cancellationToken).ConfigureAwait(false);
            do WritePending(pending);
            while (pending.HasMore);
            IsBroken = false;
            mustHold = MustHold();
        }

        if (mustHold && _parts.AppendOnly.Log is { } log)
            await DurabilityWait.UntilAsync(log).WaitAsync(cancellationToken).ConfigureAwait(false);
    }

    private async Task AwaitPendingAsync(PendingReply pending, CancellationToken cancellationToken)
    {
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, _connection.Closed);
        _client.Wait.Reply = pending;
        _client.Wait.IsBlocked = true;
        try
        {
            Task wait = pending.WaitAsync(stop.Token);
            _client.Executor.Waits.OnWaiting(pending);
            await wait.ConfigureAwait(false);
            if (pending.IsAbandoned)
                throw new OperationCanceledException(stop.Token);
        }
        catch (OperationCanceledException)
        {
            await pending.AbandonAsync().ConfigureAwait(false);
            cancellationToken.ThrowIfCancellationRequested();
            throw;
        }
        finally
        {
            _client.Wait.IsBlocked = false;
            _client.Wait.Reply = null;
        }
    }

    private void WritePending(PendingReply pending)
    {
        RespWriter writer = new(_reply, RespVersion) { ErrorObserver = _client.Executor.Threads.Current.Counters.Errors };
        Executor.WriteLater(_client, pending, ref writer);
        writer.Flush();
        _parts.Logs.CountPiece(pending, writer.BytesWritten);
    }

    private ReadOnlySpan<byte> Expect(byte type)
    {
        ReadOnlySpan<byte> reply = _reply.Written;
        if (reply[0] == type)
            return reply;
        ThrowIfError();
        throw Unexpected();
    }

    private static InvalidOperationException Unexpected() => new("A command has given a reply of another kind than it should.");

    private Span<byte> Reserve(int length)
    {
        if (_request.Length - _used < length)
            Array.Resize(ref _request, (int)Math.Min(Math.Max(_request.Length * 2L, checked(_used + length)), Array.MaxLength));
        if (_count == _ranges.Length)
            Array.Resize(ref _ranges, _count * 2);
        return _request.AsSpan(_used);
    }

    private void Commit(int length)
    {
        _ranges[_count++] = new ArgumentRange(_used, length);
        _used += length;
    }
}
