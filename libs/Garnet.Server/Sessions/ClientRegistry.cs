// All connected clients by id. Thread-safe.
using System.Collections.Concurrent;
using Garnet.Server.Configuration;

namespace Garnet.Server.Sessions;

/// <summary>Finds clients for CLIENT LIST and KILL, and ends those that idle or do not read.</summary>
public sealed class ClientRegistry
{
    private readonly ConcurrentDictionary<long, ClientSession> _clients = new();
    private int _count;

    /// <summary>Connected clients.</summary>
    public int Count => Volatile.Read(ref _count);

    /// <summary>The clients in order of their ids; for what shows them, as it costs more than <see cref="Connected"/>.</summary>
    public IEnumerable<ClientSession> All => Connected.OrderBy(c => c.Id);

    /// <summary>The clients in no order, as they come and go. Takes no lock, so that clients come and go meanwhile.</summary>
    internal IEnumerable<ClientSession> Connected => _clients.Select(static pair => pair.Value);

    /// <summary>Finds a client by id; null when it is gone.</summary>
    public ClientSession? Find(long id) => _clients.GetValueOrDefault(id);

    /// <summary>
    /// Lets a client in unless there are as many as may be; counting and letting in are one step, so that no two take the last place.
    /// </summary>
    internal bool TryAdd(ClientSession client, long most)
    {
        if (Interlocked.Increment(ref _count) <= most)
            return _clients.TryAdd(client.Id, client);
        Interlocked.Decrement(ref _count);
        return false;
    }

    internal void Remove(ClientSession client)
    {
        if (_clients.TryRemove(client.Id, out _))
            Interlocked.Decrement(ref _count);
    }

    /// <summary>
    /// Ends clients that sent nothing for <paramref name="timeoutSeconds"/>; 0 ends none. Clients that wait for a blocked command are
    /// spared.
    /// </summary>
    internal void EndIdle(long nowMs, int timeoutSeconds)
    {
        if (timeoutSeconds == 0)
            return;
        foreach (ClientSession client in Connected)
        {
            if (!client.IsBlocked && nowMs - client.LastInteractionMs > timeoutSeconds * 1000L)
                client.Kill();
        }
    }

    /// <summary>Ends clients whose unsent replies stay above the soft limit; the hard limit is checked after each batch.</summary>
    internal void EndSlowReaders(long nowMs, OutputBufferLimits limits)
    {
        OutputBufferLimit limit = limits.Normal;
        if (limit.SoftBytes == 0 && limit.HardBytes == 0)
            return;
        foreach (ClientSession client in Connected)
            client.EndIfSlow(limit, nowMs);
    }
}
