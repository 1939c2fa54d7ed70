// The link to one replica, on the primary's side. Write and AfterFlush run on the connection's thread; the rest on any.
using System.Buffers;
using System.Globalization;
using System.IO.Pipelines;
using System.Text;
using Garnet.Engine.Clients;
using Garnet.Engine.Execution;
using Garnet.Persistence.Effects;
using Garnet.Persistence.Snapshots;
using Garnet.Server.Configuration;

namespace Garnet.Server.Replication;

/// <summary>
/// Belongs to a client that sent REPLCONF, PSYNC or SYNC. Bytes are handed to the connection's output while that has room, from the
/// snapshot or from the stream, where they stay until then, and large pieces until they are sent; so a slow replica takes no memory of
/// its own.
/// </summary>
internal sealed class ReplicaLink(ClientSession client, ServerReplication replication, ServerConfiguration configuration, ServerClock clock)
    : OutputFeed,
        IEffectListener
{
    // Copying less than this is cheaper than tracking a loan.
    private const int MinLentBytes = 16 * 1024;

    private static readonly Action<object?> WakeCallback = static client => ((ClientSession)client!).Session?.Wake();

    private readonly Lock _gate = new();
    private readonly ArrayBufferWriter<byte> _lines = new();
    private SnapshotTransfer? _transfer;
    private EffectReader? _payload;
    private EffectReader? _stream;
    private LogCatchUp? _files;
    private volatile ReplicaLinkState _state;
    private int _isAwake;
    private int _isDraining;
    private int _isLate;
    private bool _hasMore;
    private bool _awaitsPayload; // the snapshot has begun and is being made

    /// <summary>The client.</summary>
    public ClientSession Client => client;

    /// <summary>What the replica has announced.</summary>
    public ReplicaProperties Properties { get; } = new();

    /// <summary>How far it is.</summary>
    public ReplicaLinkState State
    {
        get => _state;
        private set => _state = value;
    }

    /// <summary>Sizes of what is handed to the network.</summary>
    public LinkBuffer Buffer { get; } = new();

    /// <summary>Position that the replica has acknowledged.</summary>
    public long Acknowledged { get; private set; }

    /// <summary>Position up to which the replica's append-only log is durable, if it says so.</summary>
    public long AcknowledgedDurable { get; private set; }

    /// <summary>Milliseconds of the steady clock of the last acknowledgement.</summary>
    public long AcknowledgedAtMs { get; private set; }

    /// <summary>Milliseconds of the steady clock at which it began to wait.</summary>
    public long WaitingSinceMs { get; private set; }

    /// <summary>Bytes in memory that are not with the network yet.</summary>
    public override long Lag => (_files?.Reader.Lag ?? 0) + (_stream?.Lag ?? 0);

    /// <summary>How far behind the stream the replica may be.</summary>
    public long MaxLag
    {
        get
        {
            long hard = client.Output.Limit.HardBytes;
            return hard == 0 ? long.MaxValue : Math.Max(hard, configuration.Current.ReplicationBacklogBytes);
        }
    }

    /// <summary>The address that others reach the replica at.</summary>
    public string Address => Properties.Address.Length > 0 ? Properties.Address : PeerAddress(client.Connection.RemoteAddress);

    /// <summary>Whether it has data to which an effect is sent that replicas before Valkey 9.0 do not understand, as it does not.</summary>
    public bool IsOutdated =>
        !Properties.ReadsValkeyFormat
        && !Properties.IsSnapshotOnly
        && !client.End.IsForced
        && State is ReplicaLinkState.ReceivingSnapshot or ReplicaLinkState.Loading or ReplicaLinkState.Online;

    /// <summary>Continues at a position that the stream, or the append-only log, still has; false when neither has it any more.</summary>
    public bool TryContinue(long position)
    {
        EffectReader? reader = replication.Effects.Stream.TryOpen(position, this);
        LogCatchUp? files = reader is null ? replication.TryReadFiles(this, position) : null;
        if (reader is null && files is null)
            return false;
        AddLine(Properties.TakesNewHistory ? $"+CONTINUE {replication.History.Id}\r\n" : "+CONTINUE\r\n");
        GoOnline(reader, files, position);
        return true;
    }

    /// <summary>Begins to wait for a snapshot.</summary>
    public void WaitForSnapshot()
    {
        lock (_gate)
        {
            WaitingSinceMs = clock.SteadyMs;
            AcknowledgedAtMs = clock.SteadyMs;
            State = ReplicaLinkState.WaitingForSnapshot;
        }
    }

    /// <summary>While no command is running, at the snapshot's point in time.</summary>
    /// <param name="transfer">The snapshot; null while it is made, so that <see cref="BeginPayload"/> follows.</param>
    /// <param name="position">Its position in the stream.</param>
    /// <param name="endMark">What ends it.</param>
    public void BeginSnapshot(SnapshotTransfer? transfer, long position, string endMark)
    {
        lock (_gate)
        {
            if (State != ReplicaLinkState.WaitingForSnapshot)
                return;
            _stream = Properties.IsSnapshotOnly ? null : replication.Effects.Stream.TryOpen(position, this);
            _stream?.MaxLag = MaxLag;
            Acknowledged = position;
            State = ReplicaLinkState.ReceivingSnapshot;
            if (Properties.Acknowledges)
                Add($"+FULLRESYNC {replication.History.Id} {position}\r\n");
            _awaitsPayload = transfer is null;
            if (transfer is not null)
                Receive(transfer, $"$EOF:{endMark}\r\n");
        }

        Wake();
    }

    /// <summary>The snapshot, which was begun, is complete.</summary>
    public void BeginPayload(SnapshotTransfer transfer, long length)
    {
        lock (_gate)
        {
            if (State != ReplicaLinkState.ReceivingSnapshot)
                return;
            _awaitsPayload = false;
            Receive(transfer, $"${length.ToString(CultureInfo.InvariantCulture)}\r\n");
        }

        Wake();
    }

    /// <summary>The snapshot could not be written or read; the replica asks again.</summary>
    public void FailSnapshot()
    {
        if (State == ReplicaLinkState.ReceivingSnapshot)
            client.End.Force();
    }

    /// <summary>Sends an empty line, which keeps the connection alive while the replica waits.</summary>
    public void KeepAlive()
    {
        lock (_gate)
        {
            if (State != ReplicaLinkState.WaitingForSnapshot && !_awaitsPayload)
                return;
            AcknowledgedAtMs = clock.SteadyMs;
            Add("\n");
        }

        Wake();
    }

    /// <summary>The replica has acknowledged a position. On the client's thread.</summary>
    public void Acknowledge(long position, long? durable)
    {
        // No one can have what the stream does not have yet.
        long end = replication.Effects.Stream.Position;
        if (position <= end)
            Acknowledged = Math.Max(Acknowledged, position);
        if (durable <= end)
            AcknowledgedDurable = Math.Max(AcknowledgedDurable, durable.Value);
        AcknowledgedAtMs = clock.SteadyMs;
        if (State == ReplicaLinkState.Loading && _stream is { } stream)
            GoOnline(stream, files: null, Acknowledged);
        replication.Replicas.OnAcknowledged();
    }

    /// <summary>Writes what there is and has room. On the connection's thread, between two replies.</summary>
    public override void Write(PipeWriter output)
    {
        Volatile.Write(ref _isAwake, 0);
        lock (_gate)
        {
            if (_lines.WrittenCount > 0)
            {
                output.Write(_lines.WrittenSpan);
                client.Traffic.OutputBytes += _lines.WrittenCount;
                _lines.Clear();
            }

            EffectReader? source = Source();
            if (source is null)
            {
                _hasMore = false;
                return;
            }

            long written = Send(source, output);
            _hasMore = !source.Peek(1).IsEmpty;
            client.Traffic.OutputBytes += written;
            replication.Replicas.CountSent(written);
            if (State == ReplicaLinkState.ReceivingSnapshot)
                OnSnapshotRead(source);
            else if (_files is { IsComplete: true } files)
                LeaveFiles(files);
        }
    }

    /// <summary>Arranges for the rest to be written when the network has taken what was flushed. On the connection's thread.</summary>
    public override void AfterFlush()
    {
        if (!_hasMore)
            return;
        // No one needs to wake this link until then.
        Volatile.Write(ref _isAwake, 1);
        if (Interlocked.Exchange(ref _isDraining, 1) == 0)
            _ = DrainAsync();
    }

    /// <inheritdoc/>
    public void OnAppended()
    {
        if (State is ReplicaLinkState.Online or ReplicaLinkState.ReceivingSnapshot)
            Wake();
    }

    /// <inheritdoc/>
    public void OnDropped()
    {
        // The link itself may not look before the network takes something, which may be never.
        if (Interlocked.Exchange(ref _isLate, 1) == 0)
            client.Connection.Post(static link => ((ReplicaLink)link!).EndLate(), this);
    }

    /// <summary>The connection has ended.</summary>
    public override void Close()
    {
        lock (_gate)
        {
            State = ReplicaLinkState.Closed;
            _stream?.Dispose();
            _files?.Dispose();
            LeaveSnapshot();
        }

        replication.Replicas.Remove(this);
    }

    private void Receive(SnapshotTransfer transfer, string announcement)
    {
        _transfer = transfer;
        _payload = transfer.AddReceiver(this, MaxLag);
        Add(announcement);
    }

    private EffectReader? Source() =>
        State switch
        {
            ReplicaLinkState.ReceivingSnapshot => _payload,
            ReplicaLinkState.Online => _files?.Reader ?? _stream,
            _ => null,
        };

    private long Send(EffectReader source, PipeWriter output)
    {
        long written = 0;
        long room = Buffer.Begin(
            client.Connection.UnsentBytes,
            replication.Replicas.All.Length,
            configuration.Current.ReplicationSendBufferBytes
        );
        while (room > 0 && source.Peek(room) is { IsEmpty: false } next)
        {
            if (next.Length < MinLentBytes)
                Copy(next.Span, output);
            else if (!TryLend(source, next.Length))
                output.Write(next.Span);
            source.Advance(next.Length);
            written += next.Length;
            room -= next.Length;
        }

        Buffer.OnSent(written, isFull: room == 0);
        return written;
    }

    // In one block: after a loan, the connection's next block is no larger than what is asked for.
    private static void Copy(ReadOnlySpan<byte> bytes, PipeWriter output)
    {
        bytes.CopyTo(output.GetSpan(bytes.Length));
        output.Advance(bytes.Length);
    }

    private bool TryLend(EffectReader source, int count)
    {
        EffectLoan loan = source.Lend(count);
        if (client.Connection.TrySendInPlace(loan))
            return true;
        loan.Return();
        return false;
    }

    private void OnSnapshotRead(EffectReader payload)
    {
        _transfer!.OnConsumed();
        if (!_transfer.IsReadBy(payload.Position))
            return;
        LeaveSnapshot();
        AcknowledgedAtMs = clock.SteadyMs;
        if (_stream is null)
            client.End.Request();
        // A replica recognizes the end of the snapshot by the last bytes received: nothing may follow until it has loaded it.
        else if (Properties.Acknowledges && Properties.TakesEndMark)
            State = ReplicaLinkState.Loading;
        else
            GoOnline(_stream, files: null, Acknowledged);
    }

    // Its memory is not needed any more.
    private void LeaveSnapshot()
    {
        _payload?.Dispose();
        _payload = null;
        _transfer?.OnConsumed();
        _transfer = null;
    }

    private void LeaveFiles(LogCatchUp files)
    {
        _stream = files.TakeNext();
        _files = null;
        files.Dispose();
        _hasMore = true;
    }

    private void EndLate()
    {
        if (State == ReplicaLinkState.Closed)
            return;
        replication.Replicas.ReportLate(this);
        client.End.Force();
    }

    private void GoOnline(EffectReader? stream, LogCatchUp? files, long position)
    {
        lock (_gate)
        {
            if (State == ReplicaLinkState.Closed)
            {
                stream?.Dispose();
                files?.Dispose();
                return;
            }

            stream?.MaxLag = MaxLag;
            _stream = stream;
            _files = files;
            Acknowledged = position;
            AcknowledgedAtMs = clock.SteadyMs;
            State = ReplicaLinkState.Online;
        }

        files?.Start();
        replication.Replicas.OnOnline(this);
        Wake();
    }

    private async Task DrainAsync()
    {
        await client.Output.DrainAsync().ConfigureAwait(false);
        Volatile.Write(ref _isDraining, 0);
        client.Session?.Wake();
    }

    private void Wake()
    {
        // Read first: while the link is awake, which is most of the time under load, a write costs no more than this.
        // Later, because a send costs as much as many writes: what other clients write meanwhile goes with it.
        if (Volatile.Read(ref _isAwake) == 0 && Interlocked.Exchange(ref _isAwake, 1) == 0)
            client.Connection.PostLater(WakeCallback, client);
    }

    private void AddLine(string line)
    {
        lock (_gate)
            Add(line);
    }

    private void Add(string line) => _lines.Write(Encoding.ASCII.GetBytes(line));

    private static string PeerAddress(string remote)
    {
        int colon = remote.LastIndexOf(':');
        return (colon < 0 ? remote : remote[..colon]).Trim('[', ']').ToString(CultureInfo.InvariantCulture);
    }
}
