// The link to the primary, on the replica's side: connects, synchronizes and applies the stream, again and again until it is stopped. One
// task; the properties may be read by any thread.
using System.Globalization;
using System.Security.Authentication;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Persistence.Rdb;
using Garnet.Server.Basics;
using Garnet.Server.Effects;
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Replication;

/// <summary>
/// A link that is lost is tried again at once. Between further attempts there is a pause, which grows to about a second, varies a little so
/// that many replicas do not return at once, and grows further while full synchronizations fail.
/// </summary>
internal sealed class PrimaryLink
{
    private const int MinPauseMs = 700;
    private const int PauseSpreadMs = 600;
    private const int MaxPauseMs = 20_000;

    // After a link that lasted for as long as this was lost: the first pause, which doubles up to the usual one.
    private const int FirstPauseMs = 50;
    private const int MaxEarlyAttempts = 5;
    private const int MaxDoublings = 5;
    private const long MsPerSecond = 1000;

    private static readonly TimeSpan AcknowledgePeriod = TimeSpan.FromSeconds(1);

    private readonly PrimaryLinkParts _parts;
    private readonly ServerReplication _replication;
    private readonly Failover _failover;
    private readonly ILogger _log;
    private readonly StreamApplier _applier;
    private readonly CancellationTokenSource _stop = new();
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private volatile PrimaryConnection? _connection;
    private volatile PrimaryLinkState _state;
    private int _hasStarted;
    private int _failedSyncs;
    private int _attempts = MaxEarlyAttempts; // since the last link of some duration was lost
    private long _connectedAtMs;
    private bool _acknowledges; // a primary that was asked with SYNC expects none
    private long _downSinceMs = -1;
    private long _freshAtMs;

    /// <summary>A link that does nothing until <see cref="Start"/>.</summary>
    public PrimaryLink(PrimaryLinkParts parts, Failover failover, string host, int port)
    {
        _parts = parts;
        _replication = parts.Replication;
        _failover = failover;
        _log = parts.Log;
        Host = host;
        Port = port;
        _applier = parts.NewApplier(string.Create(CultureInfo.InvariantCulture, $"{host}:{port}"));
    }

    /// <summary>The primary's host.</summary>
    public string Host { get; }

    /// <summary>The primary's port.</summary>
    public int Port { get; }

    /// <summary>What clients of this server, a writable replica, have written that expires.</summary>
    public required OwnKeys OwnKeys { get; init; }

    /// <summary>The session that applies the primary's stream, while the link is up; otherwise null.</summary>
    public ClientSession? Client => _state == PrimaryLinkState.Connected ? _applier.Client : null;

    /// <summary>Whether the primary may continue the present history, so that it is asked to.</summary>
    public bool MayContinue { get; set; }

    /// <summary>Whether the primary is asked to hand its role over, because this server is to become a replica of its replica.</summary>
    public bool AsksForFailover { get; set; }

    /// <summary>How far the link is.</summary>
    public PrimaryLinkState State => _state;

    /// <summary>The snapshot being received, or null.</summary>
    public PayloadStream? Payload { get; private set; }

    /// <summary>Completes when the link has stopped and touches the data no more.</summary>
    public Task Ended => _ended.Task;

    /// <summary>Milliseconds of the steady clock of the last bytes from the primary; 0 when there never were any.</summary>
    public long HeardAtMs => _connection?.HeardAtMs ?? 0;

    /// <summary>Milliseconds of the steady clock since which the link has been down; -1 when it was never up.</summary>
    public long DownSinceMs => Volatile.Read(ref _downSinceMs);

    /// <summary>
    /// Milliseconds since the data was that of the primary, as far as the connection tells: since everything that had been received was
    /// applied. -1 when it never was.
    /// </summary>
    public long LagMs(long nowMs)
    {
        long freshAtMs = FreshAtMs;
        return freshAtMs == 0 ? -1 : Math.Max(0, nowMs - freshAtMs);
    }

    /// <summary>Whether what was received is being applied, which may have to wait for a long command of a client here.</summary>
    public bool IsApplying => _connection is { IsBusy: true };

    /// <summary>Whether the link leads to this address.</summary>
    public bool IsTo(string host, int port) => Port == port && Host.Equals(host, StringComparison.OrdinalIgnoreCase);

    /// <summary>
    /// The error that sends a client to the primary, for one that understands it (CLIENT CAPA REDIRECT); null when its command may run
    /// here: a read after READONLY, or while a failover hands the role over, when the other server would send it back.
    /// </summary>
    public string? RedirectFor(ClientSession client, CommandFlags flags) =>
        IsRedirected(client, flags) && !IsHandingOver ? string.Create(CultureInfo.InvariantCulture, $"REDIRECT {Host}:{Port}") : null;

    /// <summary>
    /// Whether a command of a client waits, as writes do, until it is known which server is the primary after the failover: then it is
    /// redirected or runs here.
    /// </summary>
    public bool WaitsForFailover(ClientSession client, CommandFlags flags) => IsHandingOver && IsRedirected(client, flags);

    /// <summary>Begins to follow, once an earlier link has ended.</summary>
    public void Start(Task after)
    {
        if (Interlocked.Exchange(ref _hasStarted, 1) == 0)
            _ = RunOnPoolAsync(after);
    }

    /// <summary>Ends the link; nothing more is applied from the next command boundary on.</summary>
    public void Stop()
    {
        _applier.Stop();
        // Continuations must not run here: the caller may hold the barrier.
        _ = _stop.CancelAsync();
        _connection?.Close();
        if (Interlocked.Exchange(ref _hasStarted, 1) == 0)
            _ended.TrySetResult();
    }

    /// <summary>Ends the present connection, so that another one is opened.</summary>
    public void Disconnect() => _connection?.Close();

    /// <summary>Ends a connection that has been silent for too long.</summary>
    public void Tick(long nowMs)
    {
        // While a received snapshot is loaded, or what was received waits to be applied, nothing is read.
        if (_connection is not { } connection || _state < PrimaryLinkState.Handshake || Payload is { HasEnded: true } || IsApplying)
            return;
        if (nowMs - connection.HeardAtMs <= Options.ReplicationTimeoutSeconds * MsPerSecond)
            return;
        _log.LogWarning("The primary has been silent for too long; the connection is closed");
        connection.Close();
    }

    private bool IsHandingOver => _failover.State == FailoverState.InProgress;

    private static bool IsRedirected(ClientSession client, CommandFlags flags) =>
        client.Modes.CanRedirect
        && ((flags & CommandFlags.Write) != 0 || ((flags & CommandFlags.ReadOnly) != 0 && !client.Modes.IsReadOnly));

    private async Task RunOnPoolAsync(Task after)
    {
        try
        {
            await Task.Run(() => RunAsync(after)).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            // A broken invariant: the data may not be what the primary's stream says.
            Environment.FailFast("The link to the primary failed.", e);
        }
    }

    private async Task RunAsync(Task after)
    {
        await after.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        while (!_stop.IsCancellationRequested)
        {
            try
            {
                await FollowAsync().ConfigureAwait(false);
            }
            catch (Exception e) when (e is IOException or AuthenticationException or OperationCanceledException or ObjectDisposedException)
            {
                if (!_stop.IsCancellationRequested)
                    _log.LogWarning("Primary {Host}:{Port}: {Problem}", Host, Port, e.Message);
            }
            catch (Exception e) when (e is RdbFormatException or AppendOnlyLogException)
            {
                _log.LogError("The snapshot of primary {Host}:{Port} cannot be loaded: {Problem}", Host, Port, e.Message);
            }

            bool wasUp = _state == PrimaryLinkState.Connected;
            if (wasUp && NowMs - _connectedAtMs >= MinPauseMs)
                _attempts = 0;
            if (wasUp || DownSinceMs > 0)
                Volatile.Write(ref _downSinceMs, wasUp ? NowMs : DownSinceMs);
            _state = PrimaryLinkState.Connect;
            Volatile.Write(ref _freshAtMs, FreshAtMs);
            _connection?.Dispose();
            _connection = null;
            int pause = _failedSyncs == 0 ? EarlyPauseMs(_attempts, Random.Shared) : PauseMs(_failedSyncs, Random.Shared);
            _attempts++;
            await Task.Delay(pause, _stop.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }

        _applier.Dispose();
        _stop.Dispose();
        _ended.TrySetResult();
    }

    private long FreshAtMs => Math.Max(Volatile.Read(ref _freshAtMs), _connection?.FreshAtMs ?? 0);

    private long NowMs => _parts.Clock.SteadyMs;

    private GarnetOptions Options => _parts.Configuration.Current;

    /// <summary>The pause before the next attempt: longer after each full synchronization that failed, and never the same.</summary>
    internal static int PauseMs(int failedSyncs, Random random)
    {
        int pause = Math.Min(MinPauseMs << Math.Min(failedSyncs, MaxDoublings), MaxPauseMs);
        return pause + random.Next(Math.Max(PauseSpreadMs, pause / 2));
    }

    /// <summary>The pause before an attempt to restore a link, if no full synchronization has failed.</summary>
    /// <param name="attempts">Attempts since the link was lost.</param>
    /// <param name="random">Varies it.</param>
    internal static int EarlyPauseMs(int attempts, Random random)
    {
        if (attempts == 0)
            return 0;
        if (attempts >= MaxEarlyAttempts)
            return PauseMs(0, random);
        int pause = FirstPauseMs << (attempts - 1);
        return pause + random.Next(pause);
    }

    private async Task FollowAsync()
    {
        _state = PrimaryLinkState.Connecting;
        using var patience = CancellationTokenSource.CreateLinkedTokenSource(_stop.Token);
        patience.CancelAfter(TimeSpan.FromSeconds(Options.ReplicationTimeoutSeconds));
        PrimaryConnection connection = await _parts.ConnectAsync(Host, Port, patience.Token).ConfigureAwait(false);
        _connection = connection;
        _state = PrimaryLinkState.Handshake;
        await _parts.NewHandshake(connection).RunAsync(patience.Token).ConfigureAwait(false);
        // From here on the primary may take long, as long as it says something.
        string answer = await AskAsync(connection, _stop.Token).ConfigureAwait(false);
        if (answer.StartsWith("+CONTINUE", StringComparison.Ordinal))
            Continue(answer);
        else
            await SynchronizeAsync(connection, answer).ConfigureAwait(false);
        _failedSyncs = 0;
        MayContinue = true;
        _connectedAtMs = NowMs;
        _state = PrimaryLinkState.Connected;
        await ApplyAsync(connection).ConfigureAwait(false);
    }

    private async Task<string> AskAsync(PrimaryConnection connection, CancellationToken cancel)
    {
        _acknowledges = true;
        string id = MayContinue ? _replication.History.Id : "?";
        long position = MayContinue ? _replication.Effects.Stream.Position + 1 : -1;
        string offset = position.ToString(CultureInfo.InvariantCulture);
        if (AsksForFailover)
            await connection.SendAsync(cancel, "PSYNC", id, offset, "FAILOVER").ConfigureAwait(false);
        else
            await connection.SendAsync(cancel, "PSYNC", id, offset).ConfigureAwait(false);
        string answer = await connection.ReadLineAsync(cancel).ConfigureAwait(false);
        if (AsksForFailover)
            _failover.OnAnswer(!answer.StartsWith('-'));
        AsksForFailover = false;
        if (answer.StartsWith("+CONTINUE", StringComparison.Ordinal) && MayContinue)
            return answer;
        if (answer.StartsWith("+FULLRESYNC ", StringComparison.Ordinal))
            return answer;
        // It does not know the command, or hides it.
        if (answer.StartsWith("-ERR unknown command", StringComparison.Ordinal))
            return await AskWithoutPositionsAsync(connection, cancel).ConfigureAwait(false);
        throw new IOException($"it answered PSYNC with '{answer}'");
    }

    // The snapshot of SYNC belongs to no history that the primary tells: it gets an identifier of its own, so nothing can continue it.
    private async Task<string> AskWithoutPositionsAsync(PrimaryConnection connection, CancellationToken cancel)
    {
        _log.LogInformation("Primary {Host}:{Port} does not know PSYNC; it is asked with SYNC", Host, Port);
        _acknowledges = false;
        await connection.SendAsync(cancel, "SYNC").ConfigureAwait(false);
        return $"+FULLRESYNC {ServerIdentity.NewId()} 0";
    }

    private void Continue(string answer)
    {
        string[] words = answer.Split(' ', StringSplitOptions.RemoveEmptyEntries);
        string id = words.Length > 1 ? words[1] : "";
        // The primary sends no SELECT again, and after a restart the applier has seen none.
        _applier.Reset(Math.Max(0, _replication.Effects.Stream.Database));
        _log.LogInformation("Continuing at position {Position} of primary {Host}:{Port}", _replication.Effects.Stream.Position, Host, Port);
        if (id.Length != ReplicationHistory.IdLength || id == _replication.History.Id)
            return;
        _replication.History.Branch(_replication.Effects.Stream.Position, id);
        _replication.Replicas.CloseAll();
    }

    private async Task SynchronizeAsync(PrimaryConnection connection, string answer)
    {
        string[] words = answer.Split(' ', StringSplitOptions.RemoveEmptyEntries);
        if (
            words.Length != 3
            || words[1].Length != ReplicationHistory.IdLength
            || !long.TryParse(words[2], NumberStyles.None, CultureInfo.InvariantCulture, out long position)
        )
        {
            throw new IOException($"it answered PSYNC with '{answer}'");
        }

        _state = PrimaryLinkState.Sync;
        long beganAtMs = NowMs;
        _failedSyncs++;
        Payload = await PayloadStream.OpenAsync(connection, _stop.Token).ConfigureAwait(false);
        ReplicaLoad load = _parts.NewLoad(connection, Payload, _stop.Token);
        try
        {
            int database = await load.RunAsync(words[1], position).ConfigureAwait(false);
            _applier.Reset(database);
            Volatile.Write(ref _freshAtMs, beganAtMs);
        }
        finally
        {
            // What is left of a replacement that failed does not belong to its position.
            MayContinue &= !load.HasReplaced;
            connection.OnHeard();
            Payload = null;
        }
    }

    private async Task ApplyAsync(PrimaryConnection connection)
    {
        using var ending = CancellationTokenSource.CreateLinkedTokenSource(_stop.Token);
        Task acknowledging = _acknowledges ? AcknowledgeAsync(connection, ending.Token) : Task.CompletedTask;
        try
        {
            await _applier.ApplyAsync(connection, _stop.Token).ConfigureAwait(false);
        }
        finally
        {
            if (_applier.HasLostEffect)
            {
                // With a disk that keeps failing, all data would be asked for without a pause.
                MayContinue = false;
                _failedSyncs++;
            }

            await ending.CancelAsync().ConfigureAwait(false);
            await acknowledging.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }

    private static async Task AcknowledgeAsync(PrimaryConnection connection, CancellationToken ended)
    {
        using PeriodicTimer timer = new(AcknowledgePeriod);
        do
        {
            await connection.AcknowledgeAsync(ended).ConfigureAwait(false);
        } while (await timer.WaitForNextTickAsync(ended).ConfigureAwait(false));
    }
}
