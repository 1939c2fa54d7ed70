// Replies that wait for the disk together. Filled under the lock of its owner; notified by the log's thread; continues on the connections'
// owners.
using Garnet.Engine.Clients;
using Garnet.Persistence.AppendLog;

namespace Garnet.Server.Persistence;

/// <summary>Reused, so that waiting allocates nothing.</summary>
internal sealed class CommitGroup(GroupCommit owner) : IDurabilityWaiter
{
    private static readonly Action<object?> Go = static group => ((CommitGroup)group!).Resume();

    private readonly List<ReplyGate> _holds = [];
    private long _offset;

    /// <summary>Number of replies.</summary>
    public int Count => _holds.Count;

    /// <summary>The log they wait for.</summary>
    public AppendOnlyLog Log => _holds[0].Log;

    /// <summary>The connection of the first reply, on whose owner the group continues.</summary>
    public IClientConnection First => _holds[0].Connection;

    /// <summary>
    /// Whether a reply waits for the same log and continues on the same owner as the present ones; others must not be delayed by that
    /// owner's work.
    /// </summary>
    public bool Takes(ReplyGate gate) => gate.Log == Log && gate.Connection.OwnerId == First.OwnerId;

    /// <summary>Adds a reply.</summary>
    public void Add(ReplyGate gate)
    {
        _holds.Add(gate);
        _offset = Math.Max(_offset, gate.Offset);
    }

    /// <summary>Continues when everything the replies acknowledge is durable, or never will be.</summary>
    public void Await()
    {
        if (!Log.Await(_offset, this, isGathered: true))
            OnDurable();
    }

    /// <inheritdoc/>
    public void OnDurable() => First.Post(Go, this);

    // One after another, so that their output is sent together.
    private void Resume()
    {
        int count = _holds.Count;
        foreach (ReplyGate gate in _holds)
            gate.Resume();
        _holds.Clear();
        _offset = 0;
        owner.Return(this, count);
    }
}
