// What a thread's commands have invalidated, until the clients are notified. One for each thread, which uses it.
using Garnet.Engine.Execution;

namespace Garnet.Server.Tracking;

/// <summary>
/// Changes are recorded under latches and sent when the batch is over, which wakes other threads once; or after the reply of the command
/// when the client that changed the key is notified itself. Keys for prefixes are gathered over the whole batch, as Valkey gathers them
/// over a round of its loop. Where no batch is open, as in maintenance, clients are notified at once.
/// </summary>
internal sealed class Invalidations(ThreadScratch thread)
{
    /// <summary>Those of a thread.</summary>
    public static readonly ThreadSlot<Invalidations> OfThread = new(static thread => new Invalidations(thread));

    private readonly List<(ClientSession Client, byte[] Message)> _messages = [];
    private readonly PrefixBroadcast _broadcast = new();
    private uint[] _clients = new uint[16];

    /// <summary>The client whose commands run; null while no batch is open.</summary>
    public ClientSession? Caller
    {
        get;
        private set
        {
            field = value;
            thread.Batches.IsGathering = value is not null;
        }
    }

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
        if (!_broadcast.IsEmpty)
            _broadcast.Send();
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
            thread.Batches.ReachesSelf = true;
    }

    /// <summary>Adds a key that was changed for the clients of the prefixes that match it.</summary>
    public void Add(PrefixTable prefixes, ReadOnlySpan<byte> key)
    {
        if (_broadcast.Add(prefixes, key, Caller) && Caller is null)
            _broadcast.Send();
    }

    /// <summary>Sends what was gathered, except keys of prefixes.</summary>
    public void Send()
    {
        foreach ((ClientSession client, byte[] message) in _messages)
            InvalidationSender.Send(client, message);
        _messages.Clear();
    }
}
