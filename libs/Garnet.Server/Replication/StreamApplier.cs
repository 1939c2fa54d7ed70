// Applies a primary's stream through the server's own dispatcher. One task at a time; Stop may be called by any thread.
using System.Buffers;
using System.Text;
using Garnet.Engine.Clients;
using Garnet.Engine.Counters;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Engine.Rules;
using Garnet.Protocol;
using Garnet.Server.Persistence;
using Garnet.Server.Persistence.Replay;
using Garnet.Store.Eviction;
using Garnet.Store.Snapshots;
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Replication;

/// <summary>
/// Each command, or whole transaction, is executed and its bytes are appended to this server's stream while its keys are latched, so that
/// a snapshot always has exactly what its position says. The bytes are passed on as they came: replicas of this server have the same
/// positions as those of the primary.
/// </summary>
internal sealed class StreamApplier : IErrorObserver, IDisposable
{
    // Commands after which a session yields to others.
    private const int CommandsPerBatch = 128;

    private readonly ServerReplication _replication;
    private readonly AppendOnly _appendOnly;
    private readonly StoreSnapshots _snapshots;
    private readonly ServerStatistics _statistics;
    private readonly ServerClock _clock;
    private readonly ILogger _log;
    private readonly ClientSession _client;
    private readonly ArrayBufferWriter<byte> _dropped = new();
    private readonly RequestParser _parser = new() { MaxBulkBytes = int.MaxValue };
    private readonly ArgumentTable _arguments = new();
    private ReadOnlyMemory<byte> _received;
    private int _appended; // bytes of what is received that are in the stream
    private int _executed; // bytes of what is received that are executed: more, inside a transaction
    private int _parsed; // where the next or the unfinished command begins: later, after empty requests
    private bool _isForLinks;
    private bool _needsNewReplicas;
    private bool _wantsAcknowledgement;
    private readonly HashSet<string> _refused = [];
    private string _lastError = "";
    private readonly StreamReadAhead _readAhead;
    private Task? _wait; // for values of the next command that are on disk, or for memory while others move there
    private ReliefPatience _patience;
    private volatile bool _isStopped;

    /// <summary>An applier of a server.</summary>
    /// <param name="clients">Makes the client whose commands the stream has.</param>
    /// <param name="replication">The stream that the bytes are appended to.</param>
    /// <param name="persistence">Whose log, and whose snapshots, may have to be waited for.</param>
    /// <param name="statistics">Counts errors.</param>
    /// <param name="clock">The clock.</param>
    /// <param name="log">For log messages.</param>
    /// <param name="primary">The primary's address.</param>
    public StreamApplier(
        ClientFactory clients,
        ServerReplication replication,
        ServerPersistence persistence,
        ServerStatistics statistics,
        ServerClock clock,
        ILogger log,
        string primary
    )
    {
        _replication = replication;
        _appendOnly = persistence.AppendOnly;
        _snapshots = persistence.Data.Store.Snapshots;
        _statistics = statistics;
        _clock = clock;
        _log = log;
        _client = clients.Open(new ReplayConnection(primary), clients.NextId(), Origin.ReplicaStream);
        _client.Propagation.Sink = new AppliedSink(this);
        _client.Login.Begin(user: null);
        // The primary decides what has expired, and what it has not deleted yet may still be changed.
        _client.Store.Expiry.IsSuspended = true;
        _client.Store.Expiry.StopsClock = true;
        _client.Store.Database = Math.Max(0, replication.Effects.Stream.Database);
        _client.Store.Changes.WereAccepted = true;
        _readAhead = new StreamReadAhead(_client);
    }

    /// <summary>The session that executes the stream.</summary>
    public ClientSession Client => _client;

    /// <summary>Commands that replied with an error.</summary>
    public long Errors { get; private set; }

    /// <summary>Whether the data lacks an effect of the primary's stream, which is so until it has been loaded again.</summary>
    public bool HasLostEffect { get; private set; }

    /// <summary>The stream continues after a snapshot, or where it was cut off.</summary>
    public void Reset(int database)
    {
        _client.Transactions.Reset();
        _client.Store.Database = database;
        HasLostEffect = false;
    }

    /// <summary>Nothing is executed any more, from the next command boundary on.</summary>
    public void Stop() => _isStopped = true;

    /// <summary>Applies what a connection brings until it ends.</summary>
    /// <exception cref="IOException">The connection ended, or brought something that cannot be applied.</exception>
    public async Task ApplyAsync(PrimaryConnection connection, CancellationToken stopped)
    {
        // What was received of an unfinished transaction is received again.
        _client.Transactions.Reset();
        _appended = _executed = _parsed = 0;
        _needsNewReplicas = false;
        _wait = null;
        _parser.Reset();
        while (true)
        {
            connection.BeginWork();
            _received = connection.Unread;
            bool isHeldUp = ApplyReceived();
            connection.EndWork();
            connection.ConsumeApplied(_appended);
            _client.Traffic.InputBytes += _appended;
            _client.Traffic.LastInteractionMs = _clock.NowMs;
            _replication.Effects.Progress.Note();
            _executed -= _appended;
            _parsed -= _appended;
            _appended = 0;
            _received = default;
            if (_wantsAcknowledgement)
            {
                _wantsAcknowledgement = false;
                await connection.AcknowledgeAsync(stopped).ConfigureAwait(false);
            }

            stopped.ThrowIfCancellationRequested();
            if (isHeldUp)
            {
                connection.BeginWork();
                await WaitAsync().WaitAsync(stopped).ConfigureAwait(false);
                connection.EndWork();
            }
            else if (!await connection.ReceiveStreamAsync(stopped).ConfigureAwait(false))
            {
                throw new EndOfStreamException("it closed the connection");
            }
        }
    }

    /// <summary>
    /// The command in execution has changed what it changes, and its keys are still latched: its bytes are appended to the stream, unless
    /// a transaction is open.
    /// </summary>
    public void OnApplied(ClientSession client)
    {
        if (client.Transactions.Open is not null || _appended == _executed)
            return;
        _replication.Effects.Stream.AppendVerbatim(_received.Span[_appended.._executed], client.Store.Database, _isForLinks);
        _appended = _executed;
        if (!_needsNewReplicas)
            return;
        _needsNewReplicas = false;
        _replication.Replicas.OnNewEffects();
    }

    /// <inheritdoc/>
    public void OnError(ReadOnlySpan<byte> text)
    {
        _lastError = Encoding.Latin1.GetString(text);
        Errors++;
        _statistics.CountUnexpectedReply();
    }

    /// <inheritdoc/>
    public void Dispose() => _client.Dispose();

    private bool IsHeldUp => _wait is not null || (_snapshots.IsActive && _snapshots.MustWait(0)) || _appendOnly.Log is { HasSpace: false };

    private Task WaitAsync() =>
        Interlocked.Exchange(ref _wait, null) is { } wait ? wait
        : _snapshots.IsActive && _snapshots.MustWait(0) ? _snapshots.WaitAsync()
        : _appendOnly.Log is { HasSpace: false } log ? log.SpaceAsync()
        : Task.CompletedTask;

    // True when it has to wait before it continues.
    private bool ApplyReceived()
    {
        while (true)
        {
            if (IsHeldUp)
                return true;
            int count = ApplyBatch();
            if (count < CommandsPerBatch)
                return IsHeldUp;
        }
    }

    private int ApplyBatch()
    {
        RespWriter reply = new(_dropped, _client.ProtocolVersion) { ErrorObserver = this, Suppressed = true };
        using Batch batch = _client.Executor.Enter(_client, _client.Executor.Threads.Current, reply);
        batch.Begin(CommandsPerBatch);
        int count = 0;
        while (count < CommandsPerBatch && !IsHeldUp && ApplyNext(ref batch.Self))
            count++;
        batch.Complete();
        return count;
    }

    private bool ApplyNext(ref Batch batch)
    {
        ReadOnlySpan<byte> bytes = _received.Span;
        if (_isStopped || _parsed >= bytes.Length)
            return false;
        if (!_parser.IsMidRequest)
        {
            if (bytes[_parsed] == '\n')
            {
                SkipEmptyLines(bytes);
                return true;
            }

            if (bytes[_parsed] != '*')
                throw new IOException("it sent something that is no command");
            _arguments.Clear();
        }

        int begin = _parsed;
        // A long command arrives in many pieces: the parser goes on where it stopped.
        switch (_parser.Parse(bytes, ref _parsed, _arguments, out RequestRange request))
        {
            case ParseStatus.NeedMore or ParseStatus.PendingBulk:
                return false;
            case ParseStatus.Error:
                throw new IOException($"it violated the protocol: {_parser.Error}");
        }

        _executed = _parsed;
        batch.Context.Load(bytes, _arguments, request.FirstArgument, request.ArgumentCount);
        _wait = Execute(ref batch);
        if (_wait is null)
            return true;
        // It is read again.
        _parsed = _executed = begin;
        return false;
    }

    // They count as bytes of the stream.
    private void SkipEmptyLines(ReadOnlySpan<byte> bytes)
    {
        int lines = bytes[_parsed..].IndexOfAnyExcept((byte)'\n');
        _executed = _parsed = lines < 0 ? bytes.Length : _parsed + lines;
        _isForLinks = true;
        OnApplied(_client);
    }

    // What to wait for before it can be executed; null when it has been.
    private Task? Execute(ref Batch batch)
    {
        ref CommandContext context = ref batch.Context;
        // A primary may pass commands on by its own names for them, as Valkey does: those are known to clients here, if at all.
        Command? found = _client.Executor.Commands.FindOriginal(context[0]) ?? _client.Executor.Commands.Find(context[0]);
        if (found is not null && found.Has(CommandTraits.OfReplication))
        {
            // REPLCONF GETACK is the only one that a primary sends.
            _wantsAcknowledgement = true;
            _isForLinks = true;
            OnApplied(_client);
            return null;
        }

        if (!_client.Executor.TryResolve(ref context, found))
            throw new IOException($"it sent a command that this server cannot execute: {_lastError}");
        if (ReplayedEffect.MemoryRelief(ref context, ref _patience) is { } relief)
            return relief;
        _isForLinks = ReplayRoute.IsIgnored(context.Command);
        _needsNewReplicas |= context.Command.Has(CommandTraits.NeedsNewReplicas);
        long errors = Errors;
        Admission admission = Run(ref batch);
        if (admission == Admission.Wait)
        {
            _readAhead.Begin(_received.Span[_parsed..]);
            return _client.Wait.Before;
        }

        if (admission == Admission.Reject && context.Refusal.Kind == RefusalKind.NoEffect)
        {
            Refuse(context.Command);
            return null;
        }

        // Commands that neither ran alone nor were queued have been appended by the dispatcher.
        OnApplied(_client);
        if (Errors != errors)
            _log.LogWarning("A command of the primary failed: {Command}: {Error}", context.Command.FullName, _lastError);
        return null;
    }

    private Admission Run(ref Batch batch)
    {
        try
        {
            return ReplayedEffect.Run(ref batch);
        }
        catch (LostEffectException e)
        {
            HasLostEffect = true;
            _client.Transactions.Abandon();
            throw new IOException($"an effect cannot be executed, so all data is asked for again: {e.Message}", e);
        }
    }

    // Its bytes stay in the stream, whose positions are the primary's, but not in the log.
    private void Refuse(Command command)
    {
        if (_refused.Add(command.FullName))
        {
            _log.LogWarning(
                "The primary sent '{Command}', which is not a command that primaries replicate; it is refused, as often as it comes",
                command.FullName
            );
        }

        _isForLinks = true;
        OnApplied(_client);
    }
}
