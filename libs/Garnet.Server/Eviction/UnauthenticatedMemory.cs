// The memory of unfinished requests of all clients that have not authenticated. Thread-safe: each client's thread counts its own.
using Garnet.Engine.Counters;
using Garnet.Engine.Execution;
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Eviction;

/// <summary>
/// Anyone who can reach the port can open as many connections as maxclients allows, so a limit per connection is no bound. All of them
/// together have one limit (maxmemory-unauthenticated-clients), at which those with most memory are closed. Up to <see cref="ExemptBytes"/>
/// a request neither counts nor is closed: an AUTH or HELLO always gets through.
/// </summary>
internal sealed class UnauthenticatedMemory(ClientRegistry clients, ServerStatistics statistics, ILogger log)
{
    /// <summary>Enough for an AUTH or HELLO with the longest names and passwords in use.</summary>
    public const int ExemptBytes = 4 * 1024;

    private readonly Lock _ending = new();
    private long _total;

    /// <summary>Memory of all of them.</summary>
    public long Bytes => Volatile.Read(ref _total);

    /// <summary>Records the current memory of a client's unfinished request. The client's own thread.</summary>
    public void Count(ClientSession client, ref long counted, long bytes)
    {
        long counts = bytes > ExemptBytes && client.Login.IsRequired && !client.End.IsForced ? bytes : 0;
        if (counts == Volatile.Read(ref counted))
            return;
        long before = Interlocked.Exchange(ref counted, counts);
        Interlocked.Add(ref _total, counts - before);
    }

    /// <summary>The client is closed or gone.</summary>
    public void Release(ref long counted)
    {
        if (Volatile.Read(ref counted) != 0)
            Interlocked.Add(ref _total, -Interlocked.Exchange(ref counted, 0));
    }

    /// <summary>
    /// Closes the largest clients when the total exceeds the limit (0: none), until an eighth of it is free again, so that not every
    /// further byte triggers a search.
    /// </summary>
    public void EndLargest(long limit)
    {
        if (limit == 0 || Bytes <= limit)
            return;
        lock (_ending)
        {
            foreach (
                ClientSession client in clients
                    .Connected.Where(static c => c.Input.UnauthenticatedBytes != 0)
                    .OrderByDescending(static c => c.Input.UnauthenticatedBytes)
            )
            {
                if (Bytes <= limit - (limit / 8))
                    return;
                log.LogInformation(
                    "Client {Id} at {Address} closed: unauthenticated clients exceed maxmemory-unauthenticated-clients, and this one uses most: {Bytes} bytes",
                    client.Id,
                    client.Connection.RemoteAddress,
                    client.Input.UnauthenticatedBytes
                );
                statistics.CountQueryBufferDisconnection();
                client.End.Force();
            }
        }
    }
}
