// All connected clients by id. Thread-safe.
using System.Collections.Concurrent;
using Garnet.Engine.Clients;
using Garnet.Store;

namespace Garnet.Engine.Execution;

/// <summary>Finds clients for CLIENT LIST and KILL, and closes clients that are idle or do not read.</summary>
internal sealed class ClientRegistry(Conditions conditions)
{
    private readonly ConcurrentDictionary<long, ClientSession> _clients = new();
    private int _count;
    private int _otherThanNormal;

    /// <summary>CLIENT PAUSE.</summary>
    public ClientPause Pause { get; } = new(conditions);

    /// <summary>Connected clients.</summary>
    public int Count => Volatile.Read(ref _count);

    /// <summary>The clients ordered by id, for display; more expensive than <see cref="Connected"/>.</summary>
    public IEnumerable<ClientSession> All => Connected.OrderBy(c => c.Id);

    /// <summary>The clients in no particular order. Takes no lock, so clients may connect and disconnect meanwhile.</summary>
    internal IEnumerable<ClientSession> Connected => _clients.Select(static pair => pair.Value);

    /// <summary>Finds a client by id; null when it is gone.</summary>
    public ClientSession? Find(long id) => _clients.GetValueOrDefault(id);

    /// <summary>
    /// Registers a client unless the maximum number is reached; checking and adding are one atomic step, so that two clients cannot take
    /// the last slot.
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
    /// Closes clients that sent nothing for <paramref name="timeoutSeconds"/>; 0 disables this. Clients that wait in a blocking command, or
    /// have subscribed to something, and replicas are exempt.
    /// </summary>
    internal void EndIdle(long nowMs, int timeoutSeconds)
    {
        if (timeoutSeconds == 0)
            return;
        foreach (ClientSession client in Connected)
        {
            if (
                !client.Wait.IsBlocked
                && client.Output.Class == OutputClass.Normal
                && nowMs - client.Traffic.LastInteractionMs > timeoutSeconds * 1000L
            )
            {
                client.End.Force();
            }
        }
    }

    /// <summary>Closes the connections of a user that has been deleted; the caller's only after its reply.</summary>
    internal void EndThoseOf(ClientUser deleted, ClientSession caller)
    {
        foreach (ClientSession client in Connected)
        {
            if (client.Login.CurrentUser != deleted)
                continue;
            client.Login.End(mayBeDefault: false);
            if (client == caller)
                client.End.AfterReply = true;
            else
                client.End.Force();
        }
    }

    /// <summary>Notes that a client's class has changed, so that the usual case of normal clients without limits costs nothing.</summary>
    internal void CountClass(OutputClass before, OutputClass after) =>
        Interlocked.Add(ref _otherThanNormal, (after == OutputClass.Normal ? 0 : 1) - (before == OutputClass.Normal ? 0 : 1));

    /// <summary>Closes clients whose unsent replies stay above the soft limit; the hard limit is checked after each batch.</summary>
    internal void EndSlowReaders(long nowMs, OutputBufferLimits limits)
    {
        if (limits.Normal.IsNone && Volatile.Read(ref _otherThanNormal) == 0)
            return;
        foreach (ClientSession client in Connected)
            client.Output.EndIfSlow(limits, nowMs);
    }
}
