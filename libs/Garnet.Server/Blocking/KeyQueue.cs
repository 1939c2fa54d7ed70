// Those who wait for one key, in the order they came. Everything but OnTouched under the lock of its BlockedClients.
using Garnet.Store.Watching;

namespace Garnet.Server.Blocking;

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

    /// <summary>Watches the key.</summary>
    public KeyWatcher Watcher { get; }

    /// <summary>Whether nobody waits any more.</summary>
    public bool IsEmpty => _waiters.Count == 0;

    /// <summary>How many want to know that the key is gone.</summary>
    public int WaitersForEnd { get; private set; }

    /// <summary>Under the key's latch, or by who has just come: the key may have what somebody waits for.</summary>
    public void OnTouched()
    {
        if (Interlocked.Exchange(ref _isReady, 1) == 0)
            _owner.NoteReady(this);
    }

    /// <summary>From here on a touch is news again.</summary>
    public void ForgetTouch() => Interlocked.Exchange(ref _isReady, 0);

    /// <summary>Begins to serve; false when somebody is at it, who will then begin once more, so that the order is kept.</summary>
    public bool TryBeginServing()
    {
        _serveAgain |= _isServing;
        bool begins = !_isServing;
        _isServing = true;
        return begins;
    }

    /// <summary>Ends serving; false when it must be done once more.</summary>
    public bool TryEndServing()
    {
        _isServing = _serveAgain;
        _serveAgain = false;
        return !_isServing;
    }

    /// <summary>Whether the command that came last is this one.</summary>
    public bool EndsWith(BlockedCommand command) => _waiters.Last?.Value == command;

    /// <summary>Ends serving after an exception; the next touch begins it again.</summary>
    public void AbortServing() => _isServing = _serveAgain = false;

    /// <summary>Puts a command behind the others, and returns its place.</summary>
    public LinkedListNode<BlockedCommand> Add(BlockedCommand command)
    {
        WaitersForEnd += command.WakesWhenGone ? 1 : 0;
        return _waiters.AddLast(command);
    }

    /// <summary>Takes a command out, by its place: how many others wait does not matter.</summary>
    public void Remove(LinkedListNode<BlockedCommand> place)
    {
        _waiters.Remove(place);
        WaitersForEnd -= place.Value.WakesWhenGone ? 1 : 0;
    }

    /// <summary>
    /// Claims the first command behind a place in the order that still waits; null when there is none up to <paramref name="last"/>.
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
