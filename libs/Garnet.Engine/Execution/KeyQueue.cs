// The commands waiting for one key, in order of arrival. Everything but OnTouched under the lock of its BlockedClients.
using Garnet.Engine.Requests;
using Garnet.Store.Watching;

namespace Garnet.Engine.Execution;

/// <summary>The queue of a key that at least one blocked command waits for; the key is watched while it exists.</summary>
internal sealed class KeyQueue : IKeyObserver
{
    private readonly BlockedClients _owner;
    private readonly LinkedList<BlockedCommand> _waiters = [];
    private int _isReady;
    private bool _isServing;
    private bool _serveAgain;
    private LinkedListNode<BlockedCommand>? _lastClaimed;

    public KeyQueue(BlockedClients owner, KeyName name)
    {
        _owner = owner;
        Name = name;
        Watcher = new KeyWatcher(this);
    }

    /// <summary>The key.</summary>
    public KeyName Name { get; }

    /// <summary>The watcher of the key.</summary>
    public KeyWatcher Watcher { get; }

    /// <summary>Whether no command waits any more.</summary>
    public bool IsEmpty => _waiters.Count == 0;

    /// <summary>The number of commands waiting for the key's deletion.</summary>
    public int WaitersForEnd { get; private set; }

    /// <summary>Under the key's latch, or by a newly added command: the key may have what a command waits for.</summary>
    public void OnTouched()
    {
        if (Interlocked.Exchange(ref _isReady, 1) == 0)
            _owner.AddReady(this);
    }

    /// <summary>From here on a touch is reported again.</summary>
    public void ClearReady() => Interlocked.Exchange(ref _isReady, 0);

    /// <summary>Begins serving; false when another thread is serving, which then serves again, so that the order is kept.</summary>
    public bool TryBeginServing()
    {
        _serveAgain |= _isServing;
        bool begins = !_isServing;
        _isServing = true;
        return begins;
    }

    /// <summary>Ends serving; false when it must be repeated.</summary>
    public bool TryEndServing()
    {
        _isServing = _serveAgain;
        _serveAgain = false;
        return !_isServing;
    }

    /// <summary>Whether this is the last command in the queue.</summary>
    public bool EndsWith(BlockedCommand command) => _waiters.Last?.Value == command;

    /// <summary>Ends serving after an exception; the next touch begins it again.</summary>
    public void AbortServing() => _isServing = _serveAgain = false;

    /// <summary>Appends a command and returns its node.</summary>
    public LinkedListNode<BlockedCommand> Add(BlockedCommand command)
    {
        WaitersForEnd += command.WakesWhenGone ? 1 : 0;
        return _waiters.AddLast(command);
    }

    /// <summary>Removes a command by its node, in constant time.</summary>
    public void Remove(LinkedListNode<BlockedCommand> place)
    {
        _waiters.Remove(place);
        WaitersForEnd -= place.Value.WakesWhenGone ? 1 : 0;
    }

    /// <summary>
    /// Claims the first command after a position in the order that still waits; null when there is none up to <paramref name="last"/>.
    /// </summary>
    public BlockedCommand? ClaimNext(long after, long last)
    {
        bool goesOn = _lastClaimed is { } previous && previous.List == _waiters && previous.Value.Order == after;
        LinkedListNode<BlockedCommand>? node = goesOn ? _lastClaimed!.Next : _waiters.First;
        while (node is not null && node.Value.Order <= last && (node.Value.Order <= after || !node.Value.TryClaim()))
            node = node.Next;
        _lastClaimed = node is null || node.Value.Order > last ? null : node;
        return _lastClaimed?.Value;
    }
}
