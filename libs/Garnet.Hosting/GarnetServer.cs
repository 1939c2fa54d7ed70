// One server: its store, its commands and its endpoints. Start and stop once, by one caller; properties may be read by any thread.
using System.Net;
using Garnet.Hosting.Kestrel;
using Garnet.Hosting.Tuning;
using Garnet.Network;
using Garnet.Persistence.AppendLog;
using Garnet.Persistence.Snapshots;
using Garnet.Server.Configuration;
using Garnet.Server.Persistence;
using Garnet.Server.Sessions;
using Garnet.Store;
using Microsoft.AspNetCore.Connections;
using Microsoft.Extensions.Logging;

namespace Garnet.Hosting;

/// <summary>
/// A complete server inside this process. Several can live side by side: nothing is static, and the thread pool, signals and
/// console are left to the application.
/// </summary>
public sealed class GarnetServer : IAsyncDisposable
{
    private static readonly TimeSpan EndSessionsPeriod = TimeSpan.FromMilliseconds(20);

    private readonly TimeProvider _time;
    private readonly HybridLogStore _store;
    private readonly BlockSendOwner _blocks;
    private readonly ITransport _transport;
    private readonly KestrelEndpoints _endpoints;
    private readonly IoThreadTuner _tuner;
    private readonly CancellationTokenSource _disposing = new();
    private Task _loading = Task.CompletedTask;

    internal GarnetServer(GarnetOptions options, string? file, IReadOnlyList<EndPoint> endpoints, TimeProvider time, ILoggerFactory loggers, IServiceProvider services)
    {
        options = LimitClients(options, loggers.CreateLogger(typeof(GarnetServer)));
        _time = time;
        Configuration = new ServerConfiguration(options, file);
        _store = new HybridLogStore(RoomOptions.Store(options), time);
        _blocks = new BlockSendOwner(_store);
        Resp = new RespServer(Configuration, _store, time, loggers);
        _transport = RoomOptions.Transport(options, loggers);
        Resp.Statistics.IoThreads = () => _transport.IoThreads;
        Resp.Statistics.EndPoints = () => EndPoints;
        _endpoints = new KestrelEndpoints(_transport, services, loggers);
        foreach (var endpoint in endpoints)
            _endpoints.Add(endpoint, ServeAsync);
        new EndPointMover(endpoints.OfType<EndPointGroup>().FirstOrDefault(), Configuration, Resp.Log).Start();
        Configuration.Check("maxclients", static changed => changed.MaxClients > OpenFileLimit.MaxClients()
            ? $"The operating system is not able to handle the specified number of clients, try with {OpenFileLimit.MaxClients()}"
            : null);
        Configuration.OnChange("maxmemory", changed => _store.MaxMemoryBytes = changed.MaxMemoryBytes);
        Configuration.OnChange("tcp-keepalive", changed => _transport.SetTcpKeepAlive(changed.TcpKeepAliveSeconds));
        _tuner = new IoThreadTuner(_transport, Resp, time, options.IoThreads);
        Configuration.OnChange("io-threads", changed => _tuner.Set(changed.IoThreads));
    }

    /// <summary>The options, as they are now.</summary>
    public ServerConfiguration Configuration { get; }

    /// <summary>Commands, clients and statistics.</summary>
    public RespServer Resp { get; }

    /// <summary>The transport's name and the number of its threads now.</summary>
    public (string Name, int IoThreads) Transport => (_transport.Name, _transport.IoThreads);

    /// <summary>The endpoints, with the ports the system chose once the server is started.</summary>
    public IReadOnlyList<EndPoint> EndPoints => _endpoints.EndPoints;

    /// <summary>The endpoints as people write them.</summary>
    public IEnumerable<string> EndPointTexts => EndPoints.Select(ListenAddress.Text);

    /// <summary>Opens the endpoints, loads the data, and serves; until the data is there clients are told LOADING.</summary>
    /// <exception cref="EndPointException">An endpoint cannot be opened; the server must be disposed.</exception>
    /// <exception cref="AppendLogException">The append-only log cannot be read or written; the server must be stopped and disposed.</exception>
    /// <exception cref="DataLoadException">The data cannot be loaded; the server must be stopped and disposed.</exception>
    public async Task StartAsync(CancellationToken cancellationToken = default)
    {
        var loader = new DataLoader(Resp);
        bool hasData = loader.HasData;
        if (hasData)
            loader.Announce();
        _store.StartMaintenance();
        await _endpoints.StartAsync(cancellationToken).ConfigureAwait(false);
        SaveRehearsal.Start();
        if (!hasData)
            return;
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, _disposing.Token);
        CancellationToken stopped = stop.Token;
        _loading = Task.Factory.StartNew(() => loader.Load(stopped), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        await _loading.ConfigureAwait(false);
    }

    /// <summary>
    /// Closes the endpoints, lets every session answer the requests it has, and ends it; sessions whose client takes none of its replies, and
    /// those not done when the token is cancelled, are aborted. With a schedule of snapshots, one is saved last.
    /// </summary>
    public async Task StopAsync(CancellationToken cancellationToken = default)
    {
        var stopped = _endpoints.StopAsync(cancellationToken);
        var draining = new DrainWatch(_time);
        // A connection that was just being accepted appears among the clients a moment later, so they are told until all are gone.
        while (!stopped.IsCompleted)
        {
            foreach (var client in Resp.Clients.All)
                End(client, draining);
            draining.AbortStalled();
            await Task.WhenAny(stopped, Task.Delay(EndSessionsPeriod, CancellationToken.None)).ConfigureAwait(false);
        }
        await stopped.ConfigureAwait(false);
        if (!Resp.FinalSave.IsDone)
            await Resp.FinalSave.PrepareAsync(ShutdownMode.BySchedule, isForced: true).ConfigureAwait(false);
    }

    /// <summary>Aborts what is left and frees everything.</summary>
    public async ValueTask DisposeAsync()
    {
        // Who did not wait for the start is told there; here the loading only has to be over before the store goes.
        await _disposing.CancelAsync().ConfigureAwait(false);
        await _loading.ContinueWith(static _ => { }, TaskScheduler.Default).ConfigureAwait(false);
        _tuner.Dispose();
        await _endpoints.DisposeAsync().ConfigureAwait(false);
        Resp.Dispose();
        _store.Dispose();
    }

    // At start too many clients are a matter for the log and not a reason to stay down: the default must run everywhere.
    private static GarnetOptions LimitClients(GarnetOptions options, ILogger log)
    {
        long most = OpenFileLimit.MaxClients();
        if (options.MaxClients <= most)
            return options;
        log.LogWarning("maxclients lowered from {Wanted} to {Possible}, as the system allows no more open files", options.MaxClients, most);
        var limited = options.Clone();
        limited.MaxClients = most;
        return limited;
    }

    // A command that waits for something to happen would hold up the end for as long as it may wait; it is given up.
    private void End(ClientSession client, DrainWatch draining)
    {
        var connection = (ClientConnection)client.Connection;
        draining.Add(connection);
        if (client.IsBlocked || (client.IsHeldBack && Resp.Pause.MayBeActive))
            client.Kill();
        else
            client.EndAfterBatch();
    }

    private Task ServeAsync(ConnectionContext connection) =>
        Resp.ServeAsync(connection.Transport, new ClientConnection(connection, _blocks));
}
