// What a thread's commands have invalidated, until the clients are notified. One for each batch context; used by its thread.
using System.Runtime.InteropServices;
using Garnet.Server.Messaging;
using Garnet.Server.Sessions;

namespace Garnet.Server.Tracking;

/// <summary>
/// Changes are recorded under latches and sent when the batch is over, which wakes other threads once; or after the reply of the command
/// when the client that changed the key is notified itself. Keys for prefixes are gathered over the whole batch, as Valkey gathers them
/// over a round of its loop. Where no batch is open, as in maintenance, clients are notified at once.
/// </summary>
internal sealed class Invalidations(PublishedLanes published)
{
    private readonly List<(ClientSession Client, byte[] Message)> _messages = [];
    private readonly List<BroadcastKey> _keys = [];
    private readonly List<byte[]> _named = [];
    private uint[] _clients = new uint[16];

    /// <summary>The client whose commands run; null while no batch is open.</summary>
    public ClientSession? Caller { get; private set; }

    /// <summary>Receives the numbers of clients; scratch memory.</summary>
    public ref uint[] Clients => ref _clients;

    /// <summary>Begins to gather for a client; returns the previous one.</summary>
    public ClientSession? Open(ClientSession client)
    {
        ClientSession? former = Caller;
        Caller = client;
        return former;
    }

    /// <summary>Continues for another client; without one, sends everything.</summary>
    public void Close(ClientSession? former = null)
    {
        Caller = former;
        if (former is not null)
            return;
        Send();
        if (_keys.Count > 0)
            Broadcast();
    }

    /// <summary>Adds a message for a client.</summary>
    public void Add(ClientSession client, byte[] message)
    {
        if (Caller is null)
        {
            InvalidationSender.Send(client, message);
            return;
        }

        _messages.Add((client, message));
        if (client == Caller || client.Tracking?.Redirect == Caller.Id)
            published.ReachesSelf = true;
    }

    /// <summary>Adds a key for the clients of a prefix.</summary>
    public void Add(TrackedPrefix prefix, byte[] key)
    {
        _keys.Add(new BroadcastKey(prefix, key, Caller));
        if (Caller is null)
            Broadcast();
    }

    /// <summary>Sends what was gathered, except keys of prefixes.</summary>
    public void Send()
    {
        foreach ((ClientSession client, byte[] message) in _messages)
            InvalidationSender.Send(client, message);
        _messages.Clear();
    }

    // One message for each prefix, with its keys in order.
    private void Broadcast()
    {
        Span<BroadcastKey> keys = CollectionsMarshal.AsSpan(_keys);
        for (int i = 0; i < keys.Length; i++)
            keys[i].Order = i;
        keys.Sort();
        for (int first = 0; first < keys.Length; )
        {
            int end = first + 1;
            while (end < keys.Length && keys[end].Prefix == keys[first].Prefix)
                end++;
            Broadcast(keys[first..end]);
            first = end;
        }

        _keys.Clear();
    }

    private void Broadcast(ReadOnlySpan<BroadcastKey> keys)
    {
        byte[]? all = null;
        foreach (ClientSession client in keys[0].Prefix.Clients)
        {
            bool isNoLoop = ((client.Tracking?.Modes ?? default) & TrackingModes.NoLoop) != 0;
            byte[]? message = isNoLoop ? MessageOf(keys, client) : all ??= MessageOf(keys, null);
            if (message is not null)
                InvalidationSender.Send(client, message);
        }
    }

    // Each key once; without those that a client has changed last. Null when no key is left.
    private byte[]? MessageOf(ReadOnlySpan<BroadcastKey> keys, ClientSession? without)
    {
        _named.Clear();
        for (int i = 0; i < keys.Length; i++)
        {
            bool isLast = i + 1 == keys.Length || !keys[i].Key.AsSpan().SequenceEqual(keys[i + 1].Key);
            if (isLast && (without is null || keys[i].By != without))
                _named.Add(keys[i].Key);
        }

        return _named.Count == 0 ? null : InvalidationMessage.OfKeys(CollectionsMarshal.AsSpan(_named));
    }
}
