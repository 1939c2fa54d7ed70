// Applies changes of ports and bind. Called by CONFIG SET's changes, one after another; works on the thread pool.
using System.Net;
using Garnet.Hosting.Kestrel;
using Garnet.Server.Configuration;
using Microsoft.Extensions.Logging;

namespace Garnet.Hosting;

/// <summary>Moves a server's TCP endpoints of one kind while it runs. Clients that are connected stay.</summary>
/// <param name="tcp">The addresses; null when the application named endpoints of its own, which no option moves.</param>
/// <param name="configuration">The options.</param>
/// <param name="log">Where failures are reported.</param>
/// <param name="portOption">The option with the port: <c>port</c> or <c>tls-port</c>.</param>
/// <param name="addresses">What the options name.</param>
internal sealed class EndPointMover(
    EndPointGroup? tcp,
    ServerConfiguration configuration,
    ILogger log,
    string portOption,
    Func<GarnetOptions, List<EndPoint>> addresses
)
{
    private readonly OptionDescriptor _port = OptionTable.Find(portOption)!;

    /// <summary>Prepares what endpoints of this kind need before they are opened; returns what is wrong, or null.</summary>
    public Func<GarnetOptions, string?> Prepare { get; init; } = static _ => null;

    /// <summary>From now on the options decide where the server listens.</summary>
    public void Start() => configuration.Apply([portOption, "bind"], ApplyAsync);

    // Names are looked up and sockets closed on the thread pool: I/O threads wait for neither.
    private Task<string?> ApplyAsync(GarnetOptions options) =>
        tcp is null
            ? Task.FromResult<string?>("the application that runs this server decides where it listens")
            : Task.Run(() => MoveAsync(tcp, options));

    private async Task<string?> MoveAsync(EndPointGroup group, GarnetOptions options)
    {
        try
        {
            List<EndPoint> wanted = addresses(options);
            if (Prepare(options) is { } problem)
                return problem;
            await group.MoveAsync(wanted).ConfigureAwait(false);
            if (wanted.Count > 0)
                log.LogInformation("Listening on {EndPoints}", group.ToString());
            return null;
        }
        catch (Exception e) when (e is EndPointException or OptionException)
        {
            log.LogWarning("Still listening on {EndPoints}: {Problem}", group.ToString(), e.Message);
            return _port.Format(options) == _port.Format(configuration.Current)
                ? "Failed to bind to specified addresses."
                : "Unable to listen on this port. Check server logs.";
        }
    }
}
