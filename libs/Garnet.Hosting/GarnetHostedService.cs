// Starts and stops a server with a generic host. Called by the host, one call at a time.
using Garnet.Server.Basics;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace Garnet.Hosting;

/// <summary>
/// Starts a server with the application and stops it with it. The server has a Kestrel of its own: an endpoint added to the
/// application's Kestrel would make it ignore the addresses that the application configured.
/// </summary>
internal sealed class GarnetHostedService(IServiceProvider services, string name) : IHostedService, IDisposable
{
    // Clients that do not read their replies must leave time for the last snapshot.
    private const int DrainShare = 4;
    private static readonly TimeSpan LongestDrain = TimeSpan.FromSeconds(5);

    private GarnetServer? _server;
    private OptionsReload? _reload;

    // The server is created here and not when the host is built, so that an invalid option makes the host's start fail.
    public async Task StartAsync(CancellationToken cancellationToken)
    {
        GarnetServer server = services.GetRequiredKeyedService<GarnetServer>(name);
        ILogger log = services.GetRequiredService<ILoggerFactory>().CreateLogger("Garnet");
        ApplicationProcess.Apply(server.Configuration.Current, log);
        IHostApplicationLifetime application = services.GetRequiredService<IHostApplicationLifetime>();
        server.Resp.Shutdown.Requested += application.StopApplication;
        _server = server;
        _reload = new OptionsReload(services.GetRequiredService<IOptionsMonitor<GarnetOptions>>(), server, log);
        Task started = server.StartAsync(cancellationToken);
        await started.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        // A host that could not start does not stop its services; nothing of this one must stay open.
        if (!started.IsCompletedSuccessfully)
            await server.DisposeAsync().ConfigureAwait(false);
        await started.ConfigureAwait(false);
        Announce(server, log);
    }

    // One line for the application's log: the endpoints and the loaded data.
    private static void Announce(GarnetServer server, ILogger log)
    {
        string endPoints = server.EndPoints.Count == 0 ? "no endpoint" : string.Join(", ", server.EndPointTexts);
        string name = server.Name.Length == 0 ? "" : $" '{server.Name}'";
        long keys = Enumerable.Range(0, server.Configuration.Current.Databases).Sum(server.Resp.Store.Databases.KeyCount);
        log.LogInformation(
            "Garnet {Version}{Name} serves on {EndPoints}; {Keys} keys are loaded",
            ServerVersion.Current,
            name,
            endPoints,
            keys
        );
    }

    public async Task StopAsync(CancellationToken cancellationToken)
    {
        _reload?.Dispose();
        if (_server is not { IsDisposed: false } server)
            return;
        TimeSpan whole = services.GetRequiredService<IOptions<HostOptions>>().Value.ShutdownTimeout;
        using (var patience = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken))
        {
            patience.CancelAfter(TimeSpan.FromTicks(whole.Ticks / DrainShare));
            await server.Resp.FinalSave.AwaitReplicasAsync(patience.Token).ConfigureAwait(false);
        }
        using (var patience = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken))
        {
            patience.CancelAfter(TimeSpan.FromTicks(Math.Min(whole.Ticks / DrainShare, LongestDrain.Ticks)));
            await server.DrainAsync(patience.Token).ConfigureAwait(false);
        }
        await server.SaveAtEndAsync(cancellationToken).ConfigureAwait(false);
    }

    public void Dispose() => _reload?.Dispose();
}
