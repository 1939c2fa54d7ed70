// Bounds the connections of an HTTP endpoint, so that silent ones never keep a health check out. Any thread.
using System.Net;
using Garnet.Dashboard.Http;
using Microsoft.AspNetCore.Connections;

namespace Garnet.Hosting.Http;

/// <summary>
/// A connection middleware. When there are too many, a connection that waits for a request is closed for the newcomer, the longest-waiting
/// one of the peer that has most of them: silent connections keep no health check out. Where all are being answered, one of the peer that
/// has most is closed, if that peer has more than the newcomer's would have; else the newcomer is refused. Connections that are being
/// closed count until they have ended, so places are kept for newcomers meanwhile.
/// </summary>
/// <param name="maxConnections">The bound, which is never exceeded.</param>
/// <param name="maxOpen">How many of them are not being closed; null for all but an eighth.</param>
internal sealed class ConnectionAllowance(int maxConnections, int? maxOpen = null)
{
    private const int SparePart = 8;

    private readonly int _maxOpen = maxOpen ?? maxConnections - Math.Max(1, maxConnections / SparePart);
    private readonly Lock _lock = new();
    private readonly LinkedList<Entry> _entries = []; // the longest-waiting first
    private int _closing;
    private bool _isClosed;

    /// <summary>Connections that have not ended.</summary>
    public int Total
    {
        get
        {
            lock (_lock)
                return _entries.Count;
        }
    }

    /// <summary>Those of them that are not being closed.</summary>
    public int Count
    {
        get
        {
            lock (_lock)
                return _entries.Count - _closing;
        }
    }

    /// <summary>Serves one connection, and closes another one for it where there are too many.</summary>
    public async Task ServeAsync(ConnectionContext connection, ConnectionDelegate next)
    {
        LinkedListNode<Entry> node = new(new Entry(connection));
        connection.Features.Set(new Request(this, node));
        ConnectionContext? victim = Admit(node);
        victim?.Abort(new ConnectionAbortedException("closed for a newer connection"));
        if (victim == connection)
            return;
        try
        {
            await next(connection).ConfigureAwait(false);
        }
        finally
        {
            lock (_lock)
            {
                _entries.Remove(node);
                if (node.Value.IsClosing)
                    _closing--;
            }
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
                _closing++;
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
            if (_isClosed || _entries.Count >= maxConnections)
                return newcomer.Value.Connection;
            if (_entries.Count - _closing >= _maxOpen)
            {
                Entry? victim = FindVictim(newcomer.Value.Peer);
                if (victim is null)
                    return newcomer.Value.Connection;
                victim.IsClosing = true;
                _closing++;
                _entries.AddLast(newcomer);
                return victim.Connection;
            }

            _entries.AddLast(newcomer);
            return null;
        }
    }

    // Two walks over a list that the bound keeps short. A request being answered is disturbed only where nothing waits: then peers read
    // their answers slowly, or not at all.
    private Entry? FindVictim(IPAddress newcomer)
    {
        if (FindOldest(isServed: false, out _) is { } waiting)
            return waiting;
        Entry? served = FindOldest(isServed: true, out int count);
        return count > 1 + _entries.Count(entry => !entry.IsClosing && entry.Peer.Equals(newcomer)) ? served : null;
    }

    private Entry? FindOldest(bool isServed, out int count)
    {
        Dictionary<IPAddress, (Entry Oldest, int Count)> peers = [];
        foreach (Entry entry in _entries)
        {
            if (entry.IsServed == isServed && !entry.IsClosing)
            {
                peers[entry.Peer] = peers.TryGetValue(entry.Peer, out (Entry Oldest, int Count) known)
                    ? (known.Oldest, known.Count + 1)
                    : (entry, 1);
            }
        }

        (Entry? oldest, count) = peers.Values.OrderByDescending(static peer => peer.Count).FirstOrDefault();
        return oldest;
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

        public IPAddress Peer { get; } = PeerNetwork.OfMachine((connection.RemoteEndPoint as IPEndPoint)?.Address ?? IPAddress.None);

        public bool IsServed { get; set; }

        public bool IsClosing { get; set; }
    }
}
