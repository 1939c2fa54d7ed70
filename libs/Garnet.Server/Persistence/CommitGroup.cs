// Replies that wait for the disk as one. Filled under the lock of its owner; told by the log's thread; goes on on the connections' owners.
using Garnet.Persistence.AppendLog;
using Garnet.Server.Sessions;

namespace Garnet.Server.Persistence;

/// <summary>Used again and again, so that waiting allocates nothing.</summary>
internal sealed class CommitGroup(GroupCommit owner) : IDurabilityWaiter
{
    private static readonly Action<object?> Go = static group => ((CommitGroup)group!).GoOn();

    private readonly List<ReplyGate> _holds = [];
    private long _offset;

    /// <summary>How many replies there are.</summary>
    public int Count => _holds.Count;

    /// <summary>The log they wait for.</summary>
    public AppendOnlyLog Log => _holds[0].Log;

    /// <summary>The connection of the first, where the group goes on.</summary>
    public IClientConnection First => _holds[0].Connection;

    /// <summary>
    /// Whether a reply waits for the same log and goes on at the same place as those that are here; others must not be held up by what goes
    /// on there.
    /// </summary>
    public bool Takes(ReplyGate gate) => gate.Log == Log && gate.Connection.OwnerId == First.OwnerId;

    /// <summary>Adds a reply.</summary>
    public void Add(ReplyGate gate)
    {
        _holds.Add(gate);
        _offset = Math.Max(_offset, gate.Offset);
    }

    /// <summary>Goes on when the disk has what all of them tell of, or never will.</summary>
    public void Await()
    {
        if (!Log.Await(_offset, this, isGathered: true))
            OnDurable();
    }

    /// <inheritdoc/>
    public void OnDurable() => First.Post(Go, this);

    // One after another, so that what they send goes out together.
    private void GoOn()
    {
        int count = _holds.Count;
        foreach (ReplyGate gate in _holds)
            gate.GoOn();
        _holds.Clear();
        _offset = 0;
        owner.Return(this, count);
    }
}
