// A command that found nothing and waits for one of its keys. Its state changes under its own lock, by the serving thread, the clock, other
// clients and its connection.
using Garnet.Engine.Clients;
using Garnet.Engine.Requests;
using Garnet.Engine.Rules;
using Garnet.Protocol;
using Garnet.Store;
using Microsoft.Extensions.Logging;

namespace Garnet.Engine.Execution;

/// <summary>
/// Keeps a copy of the request, and executes it again for its client when a key has changed. The serving thread claims it first: until the
/// claim ends, client and store session belong to that thread alone, and a timeout, an UNBLOCK or the end of the connection takes effect
/// only if the command found nothing again. So no element is taken for a client that was known to be gone, and no client that received an
/// element gets a timeout.
/// </summary>
internal sealed class BlockedCommand : PendingReply
{
    private const long MaxTimerMs = int.MaxValue;

    private readonly Lock _gate = new();
    private readonly TaskCompletionSource _finished = new();
    private readonly RecordType _type;
    private readonly long _deadlineMs;
    private KeptRequest _request;
    private ReplyBuffer? _output;
    private WaitEnd _end;
    private string? _redirect;
    private WaitEnd _requestedEnd;
    private bool _isParked;
    private volatile bool _isClaimed;
    private volatile bool _isDone;
    private bool _missedTouch;
    private ITimer? _clock;

    internal BlockedCommand(in CommandContext context, RecordType type, int firstKey, int keys, long deadlineMs, bool wakesWhenGone)
    {
        _type = type;
        _deadlineMs = deadlineMs;
        Client = context.Client;
        Command = context.Command;
        WakesWhenGone = wakesWhenGone;
        RequestBytes = context.RequestBytes;
        _request = new KeptRequest(in context);
        Keys = new KeyName[keys];
        for (int i = 0; i < keys; i++)
            Keys[i] = new KeyName(Client.Store.Database, context[firstKey + i].ToArray(), context.Hash(firstKey + i));
    }

    /// <summary>Its position in the order of waiting commands.</summary>
    internal long Order { get; set; }

    internal ClientSession Client { get; }

    internal Command Command { get; }

    /// <summary>The keys it waits for, in the order of its arguments.</summary>
    internal KeyName[] Keys { get; }

    /// <summary>Its positions in the queues of its keys; cleared when it is removed.</summary>
    internal List<QueuePosition> Positions { get; } = new(1);

    /// <summary>Whether it is also executed when a key is deleted or has another type.</summary>
    internal bool WakesWhenGone { get; }

    /// <summary>
    /// Whether it queued behind others without checking its keys: its first turn is that check, at which a key of a wrong type is an error,
    /// unlike later.
    /// </summary>
    internal bool IsUntried { get; set; }

    /// <summary>Size of the request as it was sent.</summary>
    internal long RequestBytes { get; }

    /// <summary>Stopwatch ticks of all attempts.</summary>
    internal long TriedTicks { get; set; }

    /// <inheritdoc/>
    public override bool EndsWithPeer => true;

    /// <inheritdoc/>
    /// <remarks>Once it has been claimed, the keys may have been read; until then the client is notified of anything.</remarks>
    public override bool PrecedesMessages => _isClaimed || _isDone;

    /// <inheritdoc/>
    public override bool IsAbandoned => _end == WaitEnd.Closed;

    /// <inheritdoc/>
    public override bool HasTimeout => _deadlineMs != 0;

    /// <summary>Replaces an argument of the request to be executed; only before the command returned from its first execution.</summary>
    public void SetArgument(int index, ReadOnlySpan<byte> value) => _request.SetArgument(index, value);

    /// <inheritdoc/>
    public override async Task WaitAsync(CancellationToken connectionClosed)
    {
        // Not earlier: a thread that claims it uses the session's store, which until now was inside its batch.
        bool looksAgain = Client.Executor.Blocked.Add(this);
        Park();
        if (looksAgain)
            Client.Executor.Blocked.Serve(this);
        Client.Executor.Blocked.Serve();
        using CancellationTokenRegistration closing = connectionClosed.UnsafeRegister(
            static self => ((BlockedCommand)self!).TryEnd(WaitEnd.Closed),
            this
        );
        using ITimer? timer =
            _deadlineMs == 0
                ? null
                : Client.Executor.Time.CreateTimer(
                    static self => ((BlockedCommand)self!).OnTimer(),
                    this,
                    Timeout.InfiniteTimeSpan,
                    Timeout.InfiniteTimeSpan
                );
        if (timer is not null)
        {
            Volatile.Write(ref _clock, timer);
            OnTimer();
        }

        await _finished.Task.ConfigureAwait(false);
        Client.Executor.Blocked.Remove(this);
    }

    /// <inheritdoc/>
    public override async Task AbandonAsync()
    {
        TryEnd(WaitEnd.Closed);
        await _finished.Task.ConfigureAwait(false);
        Client.Executor.Blocked.Remove(this);
        _request.Release();
    }

    /// <inheritdoc/>
    public override void WriteReply(ref RespWriter reply)
    {
        if (_end == WaitEnd.Served)
        {
            reply.WriteRaw(_output!.Written);
            _output.Dispose();
            _request.Release();
            return;
        }

        ThreadScratch thread = Client.Executor.Threads.Current;
        thread.Counters.Calls[Command.Id]++;
        thread.Counters.CommandsProcessed++;
        thread.Timer.AddCall(Command, TriedTicks, Client.Executor.Blocked.Recorder.Limits.TracksLatency);
        Client.Traffic.Commands++;
        long written = reply.BytesWritten;
        if (_end == WaitEnd.TimedOut)
        {
            reply.WriteNullArray();
        }
        else
        {
            thread.Counters.Rejected[Command.Id]++;
            _redirect = _end == WaitEnd.RoleChanged ? Redirect() : null;
            if (_redirect is { } redirect)
                reply.WriteError(redirect);
            else
                reply.WriteError(UnblockedError(_end == WaitEnd.RoleChanged ? UnblockReason.RoleChange : UnblockReason.Error));
        }

        Client.Executor.Blocked.Recorder.RecordGivenUp(this, reply.BytesWritten - written);
        _request.Release();
    }

    /// <inheritdoc/>
    public override bool EndsConnection => _end == WaitEnd.RoleChanged && _redirect is null;

    /// <inheritdoc/>
    public override bool TryUnblock(UnblockReason reason) =>
        TryEnd(
            reason switch
            {
                UnblockReason.Timeout => WaitEnd.TimedOut,
                UnblockReason.RoleChange => WaitEnd.RoleChanged,
                _ => WaitEnd.Unblocked,
            }
        );

    /// <summary>
    /// Claims the command; false when its wait is over or about to be, or when another thread has claimed it, which will then try again.
    /// </summary>
    internal bool TryClaim()
    {
        lock (_gate)
        {
            _missedTouch |= _isClaimed || !_isParked;
            if (_isDone || _isClaimed || !_isParked || Client.End.IsForced)
                return false;
            _isClaimed = true;
            return true;
        }
    }

    /// <summary>
    /// Executes the claimed command until it has a reply or nothing new has happened, and ends the claim. The calling thread is inside no
    /// batch.
    /// </summary>
    /// <param name="name">
    /// The key that changed: its type alone decides whether it is the command's turn, even when another of its keys has an element.
    /// </param>
    /// <returns>False when the key does not exist.</returns>
    internal bool Retry(KeyName name)
    {
        bool keyExists = true;
        bool isServed;
        try
        {
            isServed = TryServe(name, ref keyExists);
        }
        catch (Exception e)
        {
            // The commands waiting behind it find out themselves whether the key exists.
            FailClaim(e);
            return keyExists;
        }

        if (!TryEndClaim(isServed))
            RetryAll();
        return keyExists;
    }

    private bool TryServe(KeyName name, ref bool keyExists)
    {
        using Batch batch = Enter();
        bool isServed = false;
        if (Client.Store.Barrier.IsGuest)
        {
            PutOff();
        }
        else
        {
            RecordType? found = TypeOf(name);
            keyExists = found is not null;
            isServed = (IsServable(found) || (IsUntried && IsServable())) && !HasPeerLeft() && TryExecute(ref batch.Self, isTurn: true);
            IsUntried = false;
        }

        batch.Complete();
        return isServed;
    }

    /// <summary>As <see cref="Retry"/> when it is unknown which of its keys may have changed.</summary>
    internal void RetryAll()
    {
        bool isServed;
        do
        {
            try
            {
                isServed = TryServeAny();
            }
            catch (Exception e)
            {
                FailClaim(e);
                return;
            }
        } while (!TryEndClaim(isServed));
    }

    private bool TryServeAny()
    {
        using Batch batch = Enter();
        bool isServed = false;
        if (Client.Store.Barrier.IsGuest)
            PutOff();
        else
            isServed = IsServable() && !HasPeerLeft() && TryExecute(ref batch.Self, isTurn: false);
        batch.Complete();
        return isServed;
    }

    private Batch Enter()
    {
        ThreadScratch thread = Client.Executor.Threads.Current;
        _output ??= new ReplyBuffer();
        RespWriter reply = new(_output, Client.ProtocolVersion) { ErrorObserver = thread.Counters.Errors };
        return Client.Executor.Enter(Client, thread, reply);
    }

    // Where its client is told to go, now that the server is a replica; null when it is not told.
    private string? Redirect()
    {
        CommandContext context = NewContext();
        context.EffectiveFlags = Command.Flags;
        return Client.Executor.AskGate(GateMask.Redirect, ref context).Refusal.Detail as string;
    }

    private CommandContext NewContext()
    {
        CommandContext context = new(Client, Client.Executor.Threads.Current, default) { Command = Command };
        _request.LoadSentInto(ref context);
        return context;
    }

    /// <summary>The command in the form for the logs.</summary>
    internal LoggedCommand AsSent()
    {
        CommandContext context = NewContext();
        return new LoggedCommand(Client, Command, LoggedArguments.Shorten(ref context), RequestBytes);
    }

    /// <summary>Whether one of the keys has what the command waits for; inside a batch of its client.</summary>
    internal bool IsServable()
    {
        foreach (KeyName name in Keys)
        {
            if (IsServable(TypeOf(name)))
                return true;
        }

        return false;
    }

    // A client whose end has not been read yet must not take an element: the claim ends as if it had been.
    private bool HasPeerLeft()
    {
        if (!Client.Connection.HasPeerLeft)
            return false;
        TryEnd(WaitEnd.Closed);
        return true;
    }

    private bool IsServable(RecordType? found) => WakesWhenGone || found == _type || (IsUntried && found is not null);

    // A script holds the keyspace: its keys are looked at again when it has ended.
    private void PutOff()
    {
        foreach (QueuePosition position in Positions)
            position.Queue.OnTouched();
    }

    // From here on no thread uses the client's store, and the command may be claimed. An earlier attempt that
    // came too soon is repeated here.
    private void Park()
    {
        bool isTouched;
        lock (_gate)
        {
            _isParked = true;
            isTouched = _missedTouch;
            _missedTouch = false;
        }

        if (!isTouched)
            return;
        foreach (QueuePosition position in Positions)
            position.Queue.OnTouched();
    }

    private RecordType? TypeOf(KeyName name)
    {
        TypeReader reader = default;
        StoreSession store = Client.Store;
        return store.Reads.ReadAny(name.Key, name.Hash, ref reader) == ReadOutcome.Found ? reader.Type : null;
    }

    // Its turn counts key lookups and accesses as in Valkey, even when it finds nothing; an additional check that only this server makes
    // does not.
    private bool TryExecute(ref Batch batch, bool isTurn)
    {
        ref CommandContext context = ref batch.Context;
        ThreadScratch thread = context.Scratch;
        (long hits, long misses, bool touches) = (
            thread.Counters.KeyspaceHits,
            thread.Counters.KeyspaceMisses,
            Client.Store.Accesses.Touches
        );
        Client.Store.Accesses.Touches = touches && isTurn;
        context.SetOrigin(Origin.Blocked);
        _request.LoadInto(ref context);
        context.Command = Command;
        context.Resumed = this;
        context.RequestBytes = RequestBytes;
        batch.ExecuteAgain();
        Client.Executor.Observers.Resumed(ref context, isSearch: context.Pending is not null && !isTurn);
        Client.Store.Accesses.Touches = touches;
        batch.Flush();
        if (context.Pending is null)
            return true;
        if (!isTurn)
            (thread.Counters.KeyspaceHits, thread.Counters.KeyspaceMisses) = (hits, misses);
        return false;
    }

    // False when the command must be tried again.
    private bool TryEndClaim(bool isServed)
    {
        lock (_gate)
        {
            if (!isServed && _requestedEnd == WaitEnd.None && _missedTouch)
            {
                _missedTouch = false;
                return false;
            }

            _isClaimed = false;
            _missedTouch = false;
            _end = isServed ? WaitEnd.Served : _requestedEnd;
            _isDone = _end != WaitEnd.None;
        }

        if (_isDone)
            Finish();
        else if (Client.Output.Messages is { Bytes: > 0 })
            Client.Session?.Wake();
        return true;
    }

    // The thread serves on behalf of this command's client: that client's connection ends, not that of the client that woke it. Posted to
    // run after the batch, since the client's own thread continues at once.
    private void FailClaim(Exception e)
    {
        Client.Executor.Blocked.Log.LogError(e, "Client {Id} closed: its blocked command failed when it was executed again", Client.Id);
        Client.Executor.Threads.Current.ReleaseScratch();
        lock (_gate)
        {
            _isClaimed = false;
            _end = WaitEnd.Closed;
            _isDone = true;
        }

        Client.End.Force();
        Finish();
    }

    private bool TryEnd(WaitEnd how)
    {
        lock (_gate)
        {
            if (_isDone || _requestedEnd != WaitEnd.None)
                return false;
            _requestedEnd = how;
            if (_isClaimed)
                return true;
            _end = how;
            _isDone = true;
        }

        Finish();
        return true;
    }

    // The session continues on its own thread, with none of the caller's code on its stack.
    private void Finish() => Client.Connection.Post(static self => ((BlockedCommand)self!)._finished.TrySetResult(), this);

    // A timer's maximum is shorter than the timeouts that a client may request.
    private void OnTimer()
    {
        long leftMs = _deadlineMs - Client.Executor.Time.GetUtcNow().ToUnixTimeMilliseconds();
        if (leftMs <= 0)
            TryEnd(WaitEnd.TimedOut);
        else
            Volatile.Read(ref _clock)!.Change(TimeSpan.FromMilliseconds(Math.Min(leftMs, MaxTimerMs)), Timeout.InfiniteTimeSpan);
    }

    private struct TypeReader : IKeyReader
    {
        public RecordType Type { get; private set; }

        public void Read(ReadOnlySpan<byte> value, in RecordInfo info) => Type = info.Type;
    }
}
