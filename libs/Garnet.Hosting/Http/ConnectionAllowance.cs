// Bounds the connections of an HTTP endpoint, so that silent ones never keep a health check out. Any thread.
using System.Net;
using Microsoft.AspNetCore.Connections;

namespace Garnet.Hosting.Http;

/// <summary>
/// A connection middleware. A newcomer is always let in: when the bound is reached, a connection that waits for a request is closed for it,
/// the longest-waiting one of the peer that has most of them. A bound that turned newcomers away would let anyone who reaches the port have
/// the process restarted by its orchestrator: as many silent connections, and health checks fail.
/// </summary>
internal sealed class ConnectionAllowance(int maxConnections)
{
    private readonly Lock _lock = new();
    private readonly LinkedList<Entry> _entries = [];
    private bool _isClosed; // the longest-waiting first

    /// <summary>Connections that are open.</summary>
    public int Count
    {
        get
        {
            lock (_lock)
                return _entries.Count;
        }
    }

    /// <summary>Serves one connection, and closes another one for it where there are too many.</summary>
    public async Task ServeAsync(ConnectionContext connection, ConnectionDelegate next)
    {
        LinkedListNode<Entry> node = new(new Entry(connection));
        connection.Features.Set(new Request(this, node));
        Admit(node)?.Abort(new ConnectionAbortedException("closed for a newer connection"));
        try
        {
            await next(connection).ConfigureAwait(false);
        }
        finally
        {
            lock (_lock)
                _entries.Remove(node);
        }
    }

    /// <summary>Closes all connections that wait for a request, and any that come later: they await no response.</summary>
    public void Close()
    {
        List<ConnectionContext> waiting = [];
        lock (_lock)
        {
            _isClosed = true;
            foreach (Entry entry in _entries.Where(static entry => !entry.IsServed && !entry.IsClosing))
            {
                entry.IsClosing = true;
                waiting.Add(entry.Connection);
            }
        }
        foreach (ConnectionContext connection in waiting)
            connection.Abort(new ConnectionAbortedException("the server stops"));
    }

    private ConnectionContext? Admit(LinkedListNode<Entry> newcomer)
    {
        lock (_lock)
        {
            Entry? victim =
                _isClosed ? newcomer.Value
                : _entries.Count < maxConnections ? null
                : FindVictim();
            if (victim is not null)
                victim.IsClosing = true;
            _entries.AddLast(newcomer);
            return victim?.Connection;
        }
    }

    // One walk over a list that the bound keeps short. A request being answered is not disturbed: it takes milliseconds and asks nothing of
    // the peer.
    private Entry? FindVictim()
    {
        Dictionary<IPAddress, (Entry Oldest, int Count)> peers = [];
        foreach (Entry entry in _entries)
        {
            if (!entry.IsServed && !entry.IsClosing)
            {
                peers[entry.Peer] = peers.TryGetValue(entry.Peer, out (Entry Oldest, int Count) known)
                    ? (known.Oldest, known.Count + 1)
                    : (entry, 1);
            }
        }

        return peers.Count == 0 ? null : peers.Values.MaxBy(static peer => peer.Count).Oldest;
    }

    /// <summary>What a request knows of its connection's place, as a feature of the connection.</summary>
    internal sealed class Request(ConnectionAllowance allowance, LinkedListNode<Entry> node)
    {
        /// <summary>The request is whole and is being answered.</summary>
        public void Begin()
        {
            lock (allowance._lock)
                node.Value.IsServed = true;
        }

        /// <summary>The answer is handed over; the connection waits again.</summary>
        public void End()
        {
            lock (allowance._lock)
            {
                node.Value.IsServed = false;
                if (node.List is not { } entries)
                    return;
                entries.Remove(node);
                entries.AddLast(node);
            }
        }
    }

    internal sealed class Entry(ConnectionContext connection)
    {
        public ConnectionContext Connection => connection;

        public IPAddress Peer { get; } = (connection.RemoteEndPoint as IPEndPoint)?.Address ?? IPAddress.None;

        public bool IsServed { get; set; }

        public bool IsClosing { get; set; }
    }
}
