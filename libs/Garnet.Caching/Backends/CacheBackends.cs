// Creates a cache's backend from its settings. Called when the cache is created.
using Microsoft.Extensions.DependencyInjection;

namespace Garnet.Caching.Backends;

/// <summary>Chooses between the server in this process and a connection.</summary>
internal static class CacheBackends
{
    /// <exception cref="InvalidOperationException">There is no such server in this process.</exception>
    public static ICacheBackend Create(IServiceProvider services, GarnetCacheOptions options)
    {
        if (options.IsRemote)
            return new RespBackend(options.ConnectionOptions());
        return new InProcessBackend(InProcess(services, options));
    }

    /// <summary>The server in this process that settings name, with their database.</summary>
    /// <exception cref="InvalidOperationException">There is no such server in this process.</exception>
    public static IGarnet InProcess(IServiceProvider services, GarnetCacheOptions options)
    {
        IGarnet? garnet = options.ServerName is null
            ? services.GetService<IGarnet>()
            : services.GetKeyedService<IGarnet>(options.ServerName);
        if (garnet is null)
        {
            throw new InvalidOperationException(
                options.ServerName is null
                    ? "The cache has no server: call services.AddGarnet(...) for one in this process, or set Address for one elsewhere."
                    : $"The cache has no server: none is registered under the name '{options.ServerName}'. Call services.AddGarnet(\"{options.ServerName}\", ...), or correct ServerName."
            );
        }

        return garnet.WithDatabase(options.Database);
    }
}
