// Puts changes of port and bind into force. Called by CONFIG SET's changes, one after another; works on the thread pool.
using Garnet.Hosting.Kestrel;
using Garnet.Server.Configuration;
using Microsoft.Extensions.Logging;

namespace Garnet.Hosting;

/// <summary>Moves a server's TCP endpoints while it runs. Clients that are connected stay.</summary>
/// <param name="tcp">The addresses; null when the application named endpoints of its own, which no option moves.</param>
/// <param name="configuration">The options.</param>
/// <param name="log">Where failures are reported.</param>
internal sealed class EndPointMover(EndPointGroup? tcp, ServerConfiguration configuration, ILogger log)
{
    /// <summary>From now on the options decide where the server listens.</summary>
    public void Start() => configuration.Apply(["port", "bind"], ApplyAsync);

    // Names are looked up and sockets closed on the thread pool: I/O threads wait for neither.
    private Task<string?> ApplyAsync(GarnetOptions options) => tcp is null
        ? Task.FromResult<string?>("the application that runs this server decides where it listens")
        : Task.Run(() => MoveAsync(tcp, options));

    private async Task<string?> MoveAsync(EndPointGroup group, GarnetOptions options)
    {
        try
        {
            await group.MoveAsync(ListenAddress.Tcp(options)).ConfigureAwait(false);
            log.LogInformation("Listening on {EndPoints}", group.ToString());
            return null;
        }
        catch (Exception e) when (e is EndPointException or OptionException)
        {
            log.LogWarning("Still listening on {EndPoints}: {Problem}", group.ToString(), e.Message);
            return options.Port == configuration.Current.Port
                ? "Failed to bind to specified addresses."
                : "Unable to listen on this port. Check server logs.";
        }
    }
}
