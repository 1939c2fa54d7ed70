// Makes output cache stores for tests. Stateless.
using Garnet.Caching.Coherence;
using Garnet.Caching.Links;
using Garnet.Client;
using Garnet.Testing;

namespace Garnet.Caching.Tests;

/// <summary>With the instance name <c>app:</c>.</summary>
internal static class OutputCacheStores
{
    /// <summary>A store over a server, in the process or over a socket.</summary>
    public static GarnetOutputCacheStore Create(TestServer server, bool overSocket, TimeProvider clock)
    {
        CoherentTags coherence = new(
            channels =>
                overSocket
                    ? new RespLink(
                        new RespMultiplexerOptions { EndPoint = server.EndPoint, ReplyTimeout = TimeSpan.FromMinutes(1) },
                        channels
                    )
                    : new InProcessLink(server.Server.InProcess, channels),
            "app:output-",
            TimeSpan.FromMilliseconds(500),
            new ReplicaWait(0, TimeSpan.Zero),
            clock
        );
        return new GarnetOutputCacheStore(coherence, "app:");
    }
}
