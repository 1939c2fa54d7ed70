// Closes the clients that use most memory when all of them together use too much. Called by the server's clock, and by a client's thread
// that finds its own share large.
using Garnet.Engine.Clients;
using Garnet.Engine.Counters;
using Garnet.Engine.Execution;
using Garnet.Server.Sessions;
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Eviction;

/// <summary>
/// Valkey's maxmemory-clients: the largest first, until the rest fits; clients with CLIENT NO-EVICT stay, and do not count, because closing
/// others cannot reduce their memory.
/// </summary>
internal sealed class ClientEviction(ClientRegistry clients, ClientLine lines, ServerStatistics statistics, ILogger log)
{
    // With less, no client could connect to raise it.
    private const long MinLimitBytes = 128 * 1024;

    // A client that uses this fraction of the limit triggers the check without waiting for the clock.
    private const int NotablePart = 8;
    private readonly Lock _running = new();

    /// <summary>Maximum memory of all clients together; 0 for no limit. A percentage refers to maxmemory.</summary>
    public static long LimitOf(GarnetOptions options) =>
        options.MaxMemoryClientsBytes switch
        {
            0 => 0,
            > 0 and long bytes => Math.Max(bytes, MinLimitBytes),
            _ when options.MaxMemoryBytes == 0 => 0,
            long percent => Math.Max((long)(options.MaxMemoryBytes / 100.0 * -percent), MinLimitBytes),
        };

    /// <summary>Runs the check if one client's memory warrants it.</summary>
    public void RunIfNotable(ClientSession client, GarnetOptions options)
    {
        long limit = LimitOf(options);
        if (limit != 0 && client.MemoryBytes > limit / NotablePart)
            Run(options);
    }

    /// <summary>Closes clients until the limit holds.</summary>
    public void Run(GarnetOptions options)
    {
        long limit = LimitOf(options);
        if (limit == 0)
            return;
        lock (_running)
        {
            long total = 0;
            foreach (ClientSession client in clients.Connected)
                total += MayGo(client) ? client.MemoryBytes : 0;
            if (total > limit)
                Evict(total - limit);
        }
    }

    // Replicas have limits of their own.
    private static bool MayGo(ClientSession client) =>
        !client.Modes.NoEvict && !client.End.IsForced && client.Output.Class != OutputClass.Replica;

    private void Evict(long tooMuch)
    {
        foreach (ClientSession client in clients.Connected.Where(MayGo).OrderByDescending(static c => c.MemoryBytes))
        {
            if (tooMuch <= 0)
                return;
            tooMuch -= client.MemoryBytes;
            log.LogInformation("Evicting client: {Client}", lines.Describe(client));
            statistics.CountEvictedClient();
            client.End.Force();
        }
    }
}
