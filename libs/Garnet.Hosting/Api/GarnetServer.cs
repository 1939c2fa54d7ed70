// One server: its store, its commands and its endpoints. Start and stop once, by one caller; properties may be read by any thread.
using System.Net;
using System.Runtime.CompilerServices;
using Garnet.Dashboard;
using Garnet.Engine.Clients;
using Garnet.Engine.Execution;
using Garnet.Hosting;
using Garnet.Hosting.Dashboard;
using Garnet.Hosting.Http;
using Garnet.Hosting.InProcess;
using Garnet.Hosting.Kestrel;
using Garnet.Hosting.Metrics;
using Garnet.Hosting.Tls;
using Garnet.Hosting.Tuning;
using Garnet.Network;
using Garnet.Persistence.Snapshots;
using Garnet.Server.Basics;
using Garnet.Server.Composition;
using Garnet.Server.Configuration;
using Garnet.Server.Persistence;
using Garnet.Server.Replication;
using Garnet.Server.Scripting;
using Garnet.Server.Shutdown;
using Garnet.Server.Statistics.Metrics;
using Garnet.Store;
using Microsoft.AspNetCore.Connections;
using Microsoft.Extensions.Logging;

namespace Garnet;

/// <summary>
/// A complete server inside this process. There can be several of them: nothing is static, and the thread pool, signals and
/// console are left to the application.
/// </summary>
public sealed class GarnetServer : IAsyncDisposable, IDisposable
{
    private static readonly TimeSpan EndSessionsPeriod = TimeSpan.FromMilliseconds(20);

    // What an abandoned save has to end; one that waits for a disk which does not answer is left behind.
    private static readonly TimeSpan GivingUp = TimeSpan.FromMilliseconds(500);

    // Below this, a unit was forgotten.
    private const long MinUsefulMemoryBytes = 1 << 20;

    private readonly ILogger _log;
    private readonly TimeProvider _time;
    private readonly HybridLogStore _store;
    private readonly BlockSendOwner _blocks;
    private readonly ITransport _transport;
    private readonly KestrelEndpoints _endpoints;
    private readonly IoThreadTuner _tuner;
    private readonly TlsGate _tls;
    private readonly EndPointGroup _tlsEndPoints;
    private readonly ServerMeter _meter;
    private readonly HttpEndpoint? _metricEndpoint;
    private readonly HttpEndpoint? _dashboardEndpoint;
    private readonly InProcessSessions _callers;
    private readonly CancellationTokenSource _disposing = new();
    private readonly TaskCompletionSource _ready = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private Task _loading = Task.CompletedTask;
    private volatile bool _isListening;
    private volatile bool _isStopping;
    private int _isDisposed;

    internal GarnetServer(GarnetServerBuilder builder, GarnetOptions options, ServerEndPoints endPoints)
    {
        TimeProvider time = builder.TimeProvider;
        var loggers = new LogTail(builder.LoggerFactory, time);
        _log = loggers.CreateLogger(typeof(GarnetServer));
        options = LimitClients(options, _log);
        Name = builder.Name;
        _time = time;
        _tlsEndPoints = endPoints.Tls;
        Configuration = new ServerConfiguration(options, builder.ConfigurationFile);
        _tls = new TlsGate(Configuration, endPoints, time, loggers, name => Resp!.Users.FindText(name) is { Rules.IsOn: true });
        _store = new HybridLogStore(LibraryOptions.Store(options), time);
        _blocks = new BlockSendOwner(_store);
        _transport = LibraryOptions.Transport(options, loggers);
        _endpoints = new KestrelEndpoints(_transport, builder.Services, loggers);
        Resp = new RespServer(
            Configuration,
            _store,
            time,
            loggers,
            builder.Disk,
            builder.LogFolders,
            builder.Extensions,
            new ServerConnector(),
            new HostFigures(_transport, _endpoints, _tlsEndPoints, _tls, builder.OwnsProcess)
        );
        string holder = $"the server with process ID {Environment.ProcessId}";
        Resp.Tier.Open(options, holder, Resp.Executor.Gates.ColdValues, builder.TierDevice);
        Freshness = new ReplicaFreshness(Configuration, Resp.Replication, Resp.Clock);
        _callers = new InProcessSessions(Resp.ClientFactory, Resp.Sessions);
        InProcess = new InProcessGarnet(_callers, new InProcessCommands(Resp.Commands), Resp.Messages, options.Databases, database: 0);
        foreach (EndPoint endpoint in endPoints.Plain)
            _endpoints.Add(endpoint, ServeAsync);
        _endpoints.Add(endPoints.Tls, connection => _tls.ServeAsync(connection, ServeAsync));
        new EndPointMover(endPoints.MovablePlain, Configuration, Resp.Log, "port", ListenAddress.Tcp).Start();
        new EndPointMover(endPoints.MovableTls, Configuration, Resp.Log, "tls-port", ListenAddress.Tls) { Prepare = _tls.Prepare }.Start();
        Configuration.Check(
            "maxclients",
            static changed =>
                changed.MaxClients > OpenFileLimit.MaxClients()
                    ? $"The operating system is not able to handle the specified number of clients, try with {OpenFileLimit.MaxClients()}"
                    : null
        );
        Configuration.Check(
            "dir",
            changed =>
                changed.AppendOnly && changed.Dir != Configuration.Current.Dir
                    ? "the append only log lies there; turn appendonly off first"
                    : null
        );
        WarnOfTinyLimit(options, _log);
        Configuration.OnChange("maxmemory", changed => WarnOfTinyLimit(changed, _log));
        Configuration.OnChange("tcp-keepalive", changed => _transport.SetTcpKeepAlive(changed.TcpKeepAliveSeconds));
        Metrics = new MetricReader(MetricParts.Of(Resp), [.. ServerMetrics.All, .. HostMetrics.Of(_transport, _tls)]);
        _meter = new ServerMeter(Resp.Identity, Metrics, Name);
        _metricEndpoint = endPoints.Metrics.Count == 0 ? null : MetricEndpoint.Create(endPoints.Metrics, new MetricPages(this), loggers);
        _tuner = new IoThreadTuner(_transport, Resp.Threads, time, options.IoThreads);
        Dashboards = new DashboardHost(new DashboardServer(this, loggers, _blocks), loggers, time);
        _dashboardEndpoint = endPoints.Dashboard.Count == 0 ? null : NewDashboardEndpoint(endPoints.Dashboard, options, loggers);
        Configuration.OnChange("io-threads", changed => _tuner.Set(changed.IoThreads));
    }

    /// <summary>The name that distinguishes this server from others in the application; empty for the unnamed one.</summary>
    public string Name { get; }

    /// <summary>Completes when the data is loaded and commands are executed; fails with the exception that made the start fail.</summary>
    public Task Ready => _ready.Task;

    /// <summary>Whether the server is ready for clients.</summary>
    public bool IsReady => NotReadyReason is null;

    /// <summary>
    /// Why the server is not ready for clients: it has not started, it is loading its data, or the last attempt to save has failed, so that
    /// writes would be lost with the process, values cannot be moved to disk, or a replica's data is older than
    /// <see cref="GarnetOptions.ReplicaMaxLag"/>. Null when it is ready.
    /// </summary>
    public string? NotReadyReason
    {
        get
        {
            if (_isStopping)
                return "stopping";
            if (Resp.Persistence.Loading is { IsAsync: false } loading)
                return $"loading: {loading.Progress}";
            if (!Ready.IsCompleted)
                return "not started";
            if (!Ready.IsCompletedSuccessfully)
                return $"not started: {Ready.Exception?.InnerException?.Message ?? "given up"}";
            if (Resp.Persistence.Snapshots is { HasFailed: true } snapshots)
                return $"the last snapshot failed: {snapshots.LastError}";
            if (Resp.Persistence.AppendOnly.WriteProblem is { } problem)
                return $"the append-only log cannot be written: {problem}";
            if (Resp.Tier.Watch.Problem is { } stopped)
                return $"values cannot be moved to disk: {stopped}";
            return Freshness.Problem();
        }
    }

    /// <summary>Whether the endpoints are open.</summary>
    internal bool IsListening => _isListening && !_isStopping;

    /// <summary>Handshakes that failed, for tests.</summary>
    internal long FailedTlsHandshakes => _tls.FailedHandshakes;

    internal bool IsDisposed => Volatile.Read(ref _isDisposed) != 0;

    /// <summary>Where metrics and health are served over HTTP, until the server is disposed; empty when they are not.</summary>
    public IReadOnlyList<EndPoint> MetricEndPoints => _metricEndpoint?.EndPoints ?? [];

    /// <summary>Where the dashboard is served, until the server is disposed; empty when it is not.</summary>
    public IReadOnlyList<EndPoint> DashboardEndPoints => _dashboardEndpoint?.EndPoints ?? [];

    /// <summary>The dashboards of the server.</summary>
    internal DashboardHost Dashboards { get; }

    /// <summary>The metrics of the server.</summary>
    internal MetricReader Metrics { get; }

    /// <summary>The current options.</summary>
    internal ServerConfiguration Configuration { get; }

    /// <summary>Commands, clients and statistics.</summary>
    internal RespServer Resp { get; }

    /// <summary>How old the data of a replica is.</summary>
    internal ReplicaFreshness Freshness { get; }

    /// <summary>The commands without a socket, on database 0; usable between start and stop.</summary>
    public IGarnet InProcess { get; }

    /// <summary>The transport's name and the number of its threads now.</summary>
    internal (string Name, int IoThreads) Transport => (_transport.Name, _transport.IoThreads);

    /// <summary>The endpoints, with the ports the system chose once the server is started.</summary>
    public IReadOnlyList<EndPoint> EndPoints => _endpoints.EndPoints;

    /// <summary>Those of them that speak TLS.</summary>
    public IReadOnlyList<EndPoint> TlsEndPoints => _tlsEndPoints.Bound;

    /// <summary>The endpoints as text.</summary>
    internal IEnumerable<string> EndPointTexts => EndPoints.Select(ListenAddress.Text);

    /// <summary>Opens the endpoints, loads the data, and serves; until the data is loaded, clients get LOADING errors.</summary>
    /// <exception cref="OptionException">
    /// The data folder cannot be written, though there is something to save, or a library of functions cannot be loaded; the server must
    /// be stopped and disposed.
    /// </exception>
    /// <exception cref="EndPointException">An endpoint cannot be opened; the server must be disposed.</exception>
    /// <exception cref="AppendOnlyLogException">
    /// The append-only log cannot be read or written; the server must be stopped and disposed.
    /// </exception>
    /// <exception cref="DataLoadException">The data cannot be loaded; the server must be stopped and disposed.</exception>
    public async Task StartAsync(CancellationToken cancellationToken = default)
    {
        Task started = StartPartsAsync(cancellationToken);
        await started.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        _ready.TrySetFromTask(started);
        // Observes the exception of Ready, because the caller gets the same one.
        _ = _ready.Task.Exception;
        await started.ConfigureAwait(false);
    }

    /// <summary>
    /// Waits for replicas to catch up, for shutdown-timeout at most, while writes are paused; then closes the endpoints, lets every session
    /// answer the requests it has, and ends it; sessions whose client takes none of its replies, and those not done when the token is
    /// cancelled, are aborted. With a schedule of snapshots, one is saved last, however long that takes.
    /// </summary>
    public async Task StopAsync(CancellationToken cancellationToken = default)
    {
        await Resp.FinalSave.AwaitReplicasAsync(cancellationToken).ConfigureAwait(false);
        await DrainAsync(cancellationToken).ConfigureAwait(false);
        await SaveAtEndAsync(CancellationToken.None).ConfigureAwait(false);
    }

    /// <summary>The first half of <see cref="StopAsync"/>, after the replicas have caught up: ends the sessions.</summary>
    internal async Task DrainAsync(CancellationToken cancellationToken)
    {
        _isStopping = true;
        using CancellationTokenRegistration endScript = cancellationToken.UnsafeRegister(
            static state => ((RespServer)state!).Scripts.Running.EndWithServer(),
            Resp
        );
        await Dashboards.CloseAsync().ConfigureAwait(false);
        Task stopped = _endpoints.StopAsync(cancellationToken);
        var draining = new DrainWatch(_time);
        // A connection that was just being accepted appears among the clients a moment later, so the request is repeated until all are
        // gone.
        while (!stopped.IsCompleted)
        {
            foreach (ClientSession client in Resp.Clients.All)
                End(client, draining);
            foreach (IClientConnection connection in Resp.Connections.Leaving.All)
                draining.Add((ClientConnection)connection);
            draining.AbortStalled();
            await Task.WhenAny(stopped, Task.Delay(EndSessionsPeriod, CancellationToken.None)).ConfigureAwait(false);
        }
        await stopped.ConfigureAwait(false);
        // A thread that waits for an unresponsive disk is waited for in DisposeAsync, not here.
        await _callers.CloseAsync().WaitAsync(cancellationToken).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
    }

    /// <summary>
    /// The second half: saves, if there is a schedule and the final snapshot has not been saved yet. A save that has not completed when the
    /// token is cancelled is abandoned, and the previous file stays.
    /// </summary>
    internal async Task SaveAtEndAsync(CancellationToken cancellationToken)
    {
        if (Resp.FinalSave.IsDone)
            return;
        if (Resp.Scripts.Running.HasAborted)
        {
            _log.LogError("A script that had written was ended, so no final snapshot is saved: changes since the last one are lost");
            return;
        }

        Task<bool> saved = Resp.FinalSave.PrepareAsync(ShutdownMode.BySchedule, isForced: true, isImmediate: true);
        await using ConfiguredAsyncDisposable giveUp = cancellationToken
            .UnsafeRegister(static state => ((RespServer)state!).FinalSave.Abort(), Resp)
            .ConfigureAwait(false);
        var timeIsOver = Task.Delay(Timeout.InfiniteTimeSpan, cancellationToken);
        if (await Task.WhenAny(saved, timeIsOver).ConfigureAwait(false) == timeIsOver)
            await Task.WhenAny(saved, Task.Delay(GivingUp, CancellationToken.None)).ConfigureAwait(false);
        if (!saved.IsCompleted || !await saved.ConfigureAwait(false))
            _log.LogError("The final snapshot was not finished before the shutdown timeout: changes since the last one are lost");
    }

    /// <summary>Aborts remaining connections and frees all resources.</summary>
    public async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref _isDisposed, 1) != 0)
            return;
        _isStopping = true;
        Resp.Scripts.Running.EndWithServer();
        // Its exception is reported by the start; here loading only has to end before the store is disposed.
        await _disposing.CancelAsync().ConfigureAwait(false);
        await _loading.ContinueWith(static _ => { }, TaskScheduler.Default).ConfigureAwait(false);
        await Dashboards.CloseAsync().ConfigureAwait(false);
        if (_dashboardEndpoint is not null)
            await _dashboardEndpoint.DisposeAsync().ConfigureAwait(false);
        await _callers.CloseAsync().ConfigureAwait(false);
        _tuner.Dispose();
        _tls.Dispose();
        _meter.Dispose();
        if (_metricEndpoint is not null)
            await _metricEndpoint.DisposeAsync().ConfigureAwait(false);
        Metrics.Close();
        await _endpoints.DisposeAsync().ConfigureAwait(false);
        Resp.Dispose();
        _store.Dispose();
    }

    /// <inheritdoc cref="DisposeAsync"/>
    public void Dispose() => DisposeAsync().AsTask().GetAwaiter().GetResult();

    private async Task StartPartsAsync(CancellationToken cancellationToken)
    {
        var functions = StartFunctions.Read(Configuration.Current);
        DataFolder.Take(Resp.Persistence.Locks, Configuration.Current);
        Resp.Roles.Prepare();
        DataLoader loader = Resp.Loader;
        bool hasData = loader.HasData;
        loader.WarnOfUnread();
        if (hasData)
            loader.Announce();
        else
            functions.Load(Resp.Scripts, Resp.Effects, _store, Resp.Log);
        _callers.Open();
        Dashboards.Start();
        _store.Maintenance.Start();
        await _endpoints.StartAsync(cancellationToken).ConfigureAwait(false);
        _isListening = true;
        Resp.Persistence.Locks.Describe(string.Join(", ", EndPointTexts));
        if (_metricEndpoint is not null)
            await _metricEndpoint.StartAsync(cancellationToken).ConfigureAwait(false);
        else if (!Configuration.Current.MetricsBind.SequenceEqual(new GarnetOptions().MetricsBind))
            _log.LogWarning("metrics-bind opens nothing as long as metrics-port is 0");
        await StartDashboardAsync(cancellationToken).ConfigureAwait(false);
        SaveWarmup.Start();
        Resp.Scripts.WarmUp();
        if (!hasData)
        {
            Resp.Roles.Start();
            Resp.Modules.Open();
            return;
        }

        using var stop = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, _disposing.Token);
        CancellationToken stopped = stop.Token;
        _loading = Task.Factory.StartNew(
            () => loader.Load(functions, stopped),
            CancellationToken.None,
            TaskCreationOptions.LongRunning,
            TaskScheduler.Default
        );
        await _loading.ConfigureAwait(false);
        Resp.Roles.Start();
        Resp.Modules.Open();
    }

    private HttpEndpoint NewDashboardEndpoint(IReadOnlyList<EndPoint> endPoints, GarnetOptions options, ILoggerFactory loggers)
    {
        DashboardApplication dashboard = Dashboards.Add(
            new DashboardSettings { AllowsWrites = options.DashboardWrites, Hosts = options.DashboardHosts }
        );
        BrowserTls? tls = TlsGate.HasCertificate(options) ? new BrowserTls(_tls, Configuration, loggers) : null;
        return DashboardEndpoint.Create(endPoints, dashboard, tls, loggers);
    }

    private async Task StartDashboardAsync(CancellationToken cancellationToken)
    {
        if (_dashboardEndpoint is null)
            return;
        await _dashboardEndpoint.StartAsync(cancellationToken).ConfigureAwait(false);
        _log.LogInformation("Dashboard on {Addresses}", string.Join(", ", _dashboardEndpoint.Addresses));
        if (!Resp.Users.RequireLogin)
            _log.LogInformation("No password is set, so the dashboard serves this machine alone");
    }

    private static void WarnOfTinyLimit(GarnetOptions options, ILogger log)
    {
        if (options.MaxMemoryBytes is > 0 and < MinUsefulMemoryBytes)
        {
            log.LogWarning(
                "maxmemory is {Bytes} bytes, less than an empty server takes: writes will be refused. Sizes take a unit: {Bytes}mb",
                options.MaxMemoryBytes,
                options.MaxMemoryBytes
            );
        }
    }

    // At the start, too high a limit is only logged, because the default must work on every machine.
    private static GarnetOptions LimitClients(GarnetOptions options, ILogger log)
    {
        long most = OpenFileLimit.MaxClients();
        if (options.MaxClients <= most)
            return options;
        log.LogWarning(
            "maxclients lowered from {Wanted} to {Possible}, because the system allows no more open files",
            options.MaxClients,
            most
        );
        GarnetOptions limited = options.Clone();
        limited.MaxClients = most;
        return limited;
    }

    // A command that waits for something to happen would hold up the end for as long as it may wait, and so would a large argument whose
    // rest does not come: they are given up. What was replied before is sent all the same.
    private void End(ClientSession client, DrainWatch draining)
    {
        var connection = (ClientConnection)client.Connection;
        draining.Add(connection);
        bool isReceivingBlock = client.Input.IsReceivingBlock && connection.UnsentBytes == 0;
        if (client.Wait.IsBlocked || (client.Wait.IsHeldBack && Resp.Clients.Pause.MayBeActive) || isReceivingBlock)
            client.End.Force();
        else
            client.End.Request();
    }

    private Task ServeAsync(ConnectionContext connection) => ServeAsync(connection, []);

    private Task ServeAsync(ConnectionContext connection, IReadOnlyList<string> certificateUsers) =>
        Resp.Connections.ServeAsync(connection.Transport, new ClientConnection(connection, _blocks, certificateUsers));
}
