// Makes a cache's links from its settings. Called when the cache is created.
using Garnet.Caching.Backends;
using Garnet.Client;

namespace Garnet.Caching.Links;

/// <summary>Chooses between the server in this process and a connection.</summary>
internal static class CacheLinks
{
    /// <summary>What makes links that subscribe to channels.</summary>
    /// <exception cref="InvalidOperationException">There is no such server in this process.</exception>
    public static Func<IReadOnlyList<string>, ICacheLink> Connector(IServiceProvider services, GarnetCacheOptions options)
    {
        if (options.IsRemote)
        {
            RespMultiplexerOptions connection = options.ConnectionOptions();
            return channels => new RespLink(connection, channels);
        }

        IGarnet garnet = CacheBackends.InProcess(services, options);
        return channels => new InProcessLink(garnet, channels);
    }
}
