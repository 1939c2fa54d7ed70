// The event loop that generates load: one thread, its connections, no locks. Others read Completed, Errors and BytesIn only.
using System.Buffers;
using Garnet.Bench.Options;
using Garnet.Bench.Servers;
using Garnet.Bench.Workloads;
using Garnet.Network.Polling;

namespace Garnet.Bench.Load;

/// <summary>
/// In a closed loop a connection sends the next request when a reply has come; latency counts from sending. In an open loop requests are
/// sent when they are due, or, if no connection is free, when one is; latency counts from when they were due.
/// </summary>
internal sealed class LoadThread : IDisposable
{
    /// <summary>A batch of requests is sent when it has grown to this.</summary>
    public const int BatchBytes = 64 * 1024;

    private const int ReceiveBytes = 64 * 1024;
    private const int ReadyPerWait = 256;
    private const int ReceivesPerTurn = 16; // of one connection, before it is the others' turn
    private const long TickNs = 50_000_000; // how late a stop or a stalled reply may be noticed
    private const long NanosecondsPerSecond = 1_000_000_000;

    private static readonly TimeSpan Grace = TimeSpan.FromSeconds(1);

    private readonly LoadPlan _plan;
    private readonly int _index;
    private readonly ChannelSet _channels;
    private readonly TimeProvider _clock;
    private readonly RequestSource _source;
    private readonly IReadOnlyList<WorkloadCommand> _commands;
    private readonly LoadConnection[] _connections;
    private readonly Queue<LoadConnection> _free = new();
    private readonly Queue<LoadConnection> _unread = new(); // those of which more could be received than a turn allows
    private readonly CommandResult[] _results;
    private readonly Greeting _greeting;
    private readonly byte[] _incoming = new byte[ReceiveBytes];
    private readonly long _nanosecondsPerTimestamp;
    private readonly bool _verifies;
    private byte[] _outgoing;
    private int _outgoingCount;
    private ArrivalSchedule? _arrivals;
    private long _measureFrom;
    private long _end = long.MaxValue;
    private long _sendUntil = long.MaxValue;
    private long _requestsLeft;
    private long _underWay;
    private long _nextTick;
    private long _completed;
    private long? _stoppedAt;
    private bool _hasGivenUp;
    private bool _isConnected;

    /// <summary>A thread of a plan, not connected.</summary>
    public LoadThread(LoadPlan plan, int index, ChannelSet channels, TimeProvider clock)
    {
        _plan = plan;
        _index = index;
        _channels = channels;
        _clock = clock;
        _commands = plan.Workload.Commands;
        _source = new RequestSource(plan.Options, plan.Pool, index, plan.Threads, plan.CountsUp);
        _connections = new LoadConnection[plan.FirstConnection(index + 1) - plan.FirstConnection(index)];
        _results = [.. _commands.Select(static command => new CommandResult(command.Template.Name))];
        _outgoing = new byte[BatchBytes + _commands.Max(static command => command.Template.MaxBytes)];
        _nanosecondsPerTimestamp = NanosecondsPerSecond / clock.TimestampFrequency;
        _verifies = _commands.Any(static command => command.IsVerified);
        _requestsLeft = plan.RequestsOf(index);
        _greeting = new Greeting(plan.Server);
    }

    /// <summary>Replies so far, those of the warm-up included. Any thread.</summary>
    public long Completed => Volatile.Read(ref _completed);

    /// <summary>What was measured, by the commands of the workload; complete when <see cref="Run"/> has returned.</summary>
    public IReadOnlyList<CommandResult> Results => _results;

    /// <summary>When the last measured reply came, or 0.</summary>
    public long LastReply { get; private set; }

    /// <summary>Requests of an open loop that were due and never sent.</summary>
    public long Unsent { get; private set; }

    /// <summary>Bytes received while measuring, replies of the warm-up's last requests included.</summary>
    public long BytesIn { get; private set; }

    /// <summary>Bytes of measured requests.</summary>
    public long BytesOut { get; private set; }

    /// <summary>Opens the connections and logs in.</summary>
    /// <exception cref="BenchException">One cannot be opened.</exception>
    public void Connect()
    {
        int first = _plan.FirstConnection(_index);
        KeySequence?[] shared =
        [
            .. _commands.Select(command => command.SharesKeys ? SequentialKeys.ShareOf(_plan.Options.Keys, _index, _plan.Threads) : null),
        ];
        for (int i = 0; i < _connections.Length && !_plan.MustStop; i++)
        {
            var keys = new KeySequence[_commands.Count];
            for (int c = 0; c < keys.Length; c++)
                keys[c] = shared[c] ?? CreateKeys(_commands[c], first + i);
            _connections[i] = new LoadConnection(i, _channels.Open(i), _commands, keys, _plan.Pipeline);
        }

        _isConnected = !_plan.MustStop;
        if (_isConnected)
            GreetAll();
    }

    /// <summary>Generates load until the plan is done or has to stop, and all replies have come.</summary>
    /// <param name="start">The timestamp at which it begins, the same for all threads.</param>
    /// <exception cref="BenchException">The server is of no use any more.</exception>
    public void Run(long start)
    {
        if (!_isConnected)
            return;
        _measureFrom = start + ToTimestamps(_plan.WarmUp);
        if (_plan.Time is { } time)
        {
            _end = _measureFrom + ToTimestamps(time);
            _sendUntil = _end + ToTimestamps(Grace);
        }

        if (_plan.Rate is { } rate)
        {
            _arrivals = new ArrivalSchedule(
                _plan.Options.Load.Arrivals ?? ArrivalPattern.Uniform,
                rate,
                _index,
                _plan.Threads,
                start,
                _clock.TimestampFrequency,
                _source.Random
            );
        }

        Begin();
        while (!_plan.IsAbandoned && !IsDone())
            Turn();
        CountUnsent();
    }

    /// <summary>Closes the connections.</summary>
    public void Dispose() => _channels.Dispose();

    private KeySequence CreateKeys(WorkloadCommand command, int connection) =>
        KeySequence.Create(command.Pattern, _plan.Options.Keys, _source.Random, connection, _plan.Options.Load.Clients);

    private long ToTimestamps(TimeSpan time) => (long)(time.TotalSeconds * _clock.TimestampFrequency);

    // The first batch, and only here all connections are looked at for sending.
    private void Begin()
    {
        foreach (LoadConnection connection in _connections)
        {
            if (_arrivals is null)
                FillClosed(connection, _clock.GetTimestamp());
            else
                Enqueue(connection);
        }
    }

    private bool IsDone() =>
        _hasGivenUp || (_underWay == 0 && _clock.GetTimestamp() is var now && !MaySend(now) && !(_arrivals is not null && IsDue(now)));

    private bool MaySend(long now) => now < _end && _requestsLeft > 0 && !_plan.MustStop;

    private void Turn()
    {
        Span<ReadySocket> ready = stackalloc ReadySocket[ReadyPerWait];
        long now = _clock.GetTimestamp();
        if (_arrivals is not null)
            SendDue(now);
        int unread = _unread.Count;
        int count = _channels.Wait(ready, unread > 0 ? 0 : WaitNs(now));
        for (int i = 0; i < count; i++)
            Serve(_connections[ready[i].Id], ready[i]);
        for (; unread > 0; unread--)
            ServeUnread(_unread.Dequeue());
        now = _clock.GetTimestamp();
        if (now >= _nextTick)
            Tick(now);
    }

    private long WaitNs(long now)
    {
        long until = Math.Max(_nextTick, now);
        if (_arrivals is not null && _free.Count > 0 && MaySend(now))
            until = Math.Clamp(_arrivals.Next, now, until);
        if (_end > now)
            until = Math.Min(until, _end);
        return (until - now) * _nanosecondsPerTimestamp;
    }

    private void Tick(long now)
    {
        _nextTick = now + TickNs / _nanosecondsPerTimestamp;
        if (_plan.MustStop)
        {
            // What is under way is waited for, but a server that has stopped answering does not withhold what was measured before.
            _stoppedAt ??= now;
            _hasGivenUp = now - _stoppedAt > ToTimestamps(Grace);
            return;
        }

        long oldest = now - ToTimestamps(_plan.Server.ReplyTimeout);
        foreach (LoadConnection connection in _connections)
        {
            if ((connection.Count > 0 || connection.GreetingsLeft > 0) && connection.HeadSince < oldest)
                throw Stalled(connection);
        }
    }

    private BenchException Stalled(LoadConnection connection)
    {
        string which = connection.Reader.IsMidReply ? "complete reply" : "reply";
        double seconds = _plan.Server.ReplyTimeout.TotalSeconds;
        return _plan.Server.Failed($"no {which} within {seconds:0.###} s; --reply-timeout gives the server more time");
    }

    private void Serve(LoadConnection connection, in ReadySocket ready)
    {
        try
        {
            if (ready.CanWrite)
                connection.Channel.Continue();
            if (ready.CanRead)
                Receive(connection, ready.HasEnded);
            else if (ready.CanWrite)
                Fill(connection, _clock.GetTimestamp());
        }
        catch (IOException e)
        {
            throw Lost(connection, e);
        }
        catch (ReplyFormatException e)
        {
            throw _plan.Server.Failed(e.Message, e);
        }
    }

    // Whether the peer has ended the stream is not known here: it is read until it says so, or until there is nothing.
    private void ServeUnread(LoadConnection connection)
    {
        connection.IsUnread = false;
        Serve(connection, new ReadySocket(0, CanRead: true, CanWrite: false, HasEnded: true));
    }

    // What the server said before it closed the connection, which often is the reason, may still be there to be read.
    private BenchException Lost(LoadConnection connection, IOException cause)
    {
        try
        {
            int at = 0;
            int received = connection.Channel.Receive(_incoming);
            while (received > 0 && connection.Reader.TryRead(_incoming.AsSpan(0, received), ref at, out _)) { }
        }
        catch (Exception e) when (e is IOException or ReplyFormatException)
        {
            // It said nothing of use.
        }

        return _plan.Server.Failed($"a connection was lost: {cause.Message}{LastError(connection)}", cause);
    }

    private static string LastError(LoadConnection connection) =>
        connection.Reader.ErrorText is { Length: > 0 } error ? $"; its last error was: {error}" : "";

    private void Receive(LoadConnection connection, bool hasEnded)
    {
        for (int i = 0; i < ReceivesPerTurn; i++)
        {
            int received = connection.Channel.Receive(_incoming);
            if (received < 0)
                return;
            if (received == 0)
            {
                throw _plan.Server.Failed(
                    $"the server closed a connection on which {connection.Count} replies were to come{LastError(connection)}"
                );
            }

            long now = _clock.GetTimestamp();
            if (now >= _measureFrom)
                BytesIn += received;
            Interpret(connection, _incoming.AsSpan(0, received), now);
            if (!_plan.KeepsAlive)
            {
                if (connection.Count == 0 && connection.GreetingsLeft == 0)
                    Renew(connection);
                return;
            }

            Fill(connection, now);
            if (received < _incoming.Length && !hasEnded)
                return;
        }

        if (connection.IsUnread)
            return;
        connection.IsUnread = true;
        _unread.Enqueue(connection);
    }

    private void Interpret(LoadConnection connection, ReadOnlySpan<byte> data, long now)
    {
        int at = 0;
        long completed = 0;
        while (at < data.Length)
        {
            if (_verifies)
                ExpectValue(connection);
            if (!connection.Reader.TryRead(data, ref at, out Reply reply))
                break;
            Complete(connection, reply, now);
            completed++;
        }

        Volatile.Write(ref _completed, _completed + completed);
    }

    private void ExpectValue(LoadConnection connection)
    {
        if (connection.Count > 0 && !connection.Reader.IsMidReply && _commands[connection.Head.Command].IsVerified)
            connection.Reader.Expect(_plan.Pool.Memory(_plan.Pool.Of(connection.Head.Key)));
    }

    private void Complete(LoadConnection connection, in Reply reply, long now)
    {
        if (connection.Count == 0 || connection.GreetingsLeft > 0)
        {
            _greeting.Complete(connection, reply);
            return;
        }

        ref readonly PendingRequest request = ref connection.Head;
        if (request.Start >= _measureFrom)
        {
            _results[request.Command].Record(reply, (now - request.Start) * _nanosecondsPerTimestamp, connection.Reader);
            LastReply = now;
        }

        connection.Pop(now);
        _underWay--;
    }

    // The next request goes over a connection of its own, behind the log-in.
    private void Renew(LoadConnection connection)
    {
        long now = _clock.GetTimestamp();
        if (!MaySend(now))
            return;
        connection.Channel = _channels.Reopen(connection.Id);
        now = _clock.GetTimestamp();
        Greet(connection, now);
        Fill(connection, now);
    }

    private void Fill(LoadConnection connection, long now)
    {
        if (_arrivals is null)
            FillClosed(connection, now);
        else
            FillOpen(connection, now);
    }

    private void FillClosed(LoadConnection connection, long now)
    {
        while (connection.HasRoom && MaySend(now))
        {
            // A batch that is full has been sent, which took a while.
            if (Append(connection, now, now))
                now = _clock.GetTimestamp();
        }

        Send(connection);
    }

    // A connection that has become free takes what is due already; if nothing is, it waits in line.
    private void FillOpen(LoadConnection connection, long now)
    {
        while (connection.HasRoom && IsDue(now))
        {
            long due = _arrivals!.Next;
            _arrivals.Advance();
            Append(connection, due, now);
        }

        Send(connection);
        Enqueue(connection);
    }

    private void SendDue(long now)
    {
        while (IsDue(now) && _free.TryDequeue(out LoadConnection? connection))
        {
            connection.IsQueued = false;
            if (!connection.HasRoom)
                continue;
            long due = _arrivals!.Next;
            _arrivals.Advance();
            Append(connection, due, now);
            Send(connection);
            Enqueue(connection);
        }
    }

    // What became due while the server was late is sent after the end, too, or its latency would be missing; but not forever.
    private bool IsDue(long now) => _arrivals!.Next <= now && MaySend(_arrivals.Next) && now < _sendUntil;

    private void Enqueue(LoadConnection connection)
    {
        if (connection.IsQueued || !connection.HasRoom)
            return;
        connection.IsQueued = true;
        _free.Enqueue(connection);
    }

    // Whether the batch was sent because it was full.
    private bool Append(LoadConnection connection, long start, long now)
    {
        int index = connection.NextCommand(out KeySequence keys);
        _source.Begin(keys);
        int length = _commands[index].Template.Write(_outgoing.AsSpan(_outgoingCount), _source);
        _outgoingCount += length;
        connection.Push(new PendingRequest(start, index, _source.Key), now);
        _underWay++;
        if (start >= _measureFrom)
        {
            _requestsLeft--;
            BytesOut += length;
        }

        if (_outgoingCount < BatchBytes)
            return false;
        Send(connection);
        return true;
    }

    private void Send(LoadConnection connection)
    {
        if (_outgoingCount == 0)
            return;
        int count = _outgoingCount;
        _outgoingCount = 0;
        Send(connection, _outgoing.AsSpan(0, count));
    }

    private void Send(LoadConnection connection, ReadOnlySpan<byte> bytes)
    {
        try
        {
            connection.Channel.Send(bytes);
        }
        catch (IOException e)
        {
            throw Lost(connection, e);
        }
    }

    private void CountUnsent()
    {
        if (_arrivals is not null && _requestsLeft > 0 && _end != long.MaxValue && !_plan.MustStop)
            Unsent = Math.Min(_requestsLeft, _arrivals.CountBefore(_end) - _arrivals.CountBefore(_measureFrom));
    }

    private void GreetAll()
    {
        // Nothing is sent besides: the plan's requests begin with Run.
        long requests = _requestsLeft;
        _requestsLeft = 0;
        long now = _clock.GetTimestamp();
        foreach (LoadConnection connection in _connections)
            Greet(connection, now);
        while (_greeting.IsUnderWay && !_plan.MustStop)
            Turn();
        _requestsLeft = requests;
        BytesIn = 0;
        Volatile.Write(ref _completed, 0);
    }

    private void Greet(LoadConnection connection, long now)
    {
        if (_greeting.IsNeeded)
            Send(connection, _greeting.Begin(connection, now));
    }
}
