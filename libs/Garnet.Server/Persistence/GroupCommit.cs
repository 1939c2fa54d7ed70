// Groups the replies held back by one thread's connections, so that they wait for the disk together. Used by the owners of the connections.
using Garnet.Engine.Clients;
using Garnet.Engine.Execution;
using Garnet.Persistence.AppendLog;

namespace Garnet.Server.Persistence;

/// <summary>
/// The replies held back while a thread serves its ready connections form one group, which waits as a unit: the log is woken once for it,
/// and wakes the thread once. A sync takes as long for many replies as for one, so a group stays open until it has its share of the replies
/// held back recently, while the log is busy with another group, or for a few rounds.
/// </summary>
/// <remarks>
/// With N clients that each wait for their replies, a sync of T, and P for the thread and the clients to send N replies and requests: a
/// single group achieves N in T + P, two that alternate achieve N in the longer of 2 T and P, with twice as many syncs, whose processor
/// time is the larger part of a small group's: at 50 clients, two groups take 14.4 us per write, one 12.7 and as many writes per second.
/// So there are two only where P is long.
/// </remarks>
internal sealed class GroupCommit
{
    /// <summary>That of a thread.</summary>
    public static readonly ThreadSlot<GroupCommit> OfThread = new(static _ => new GroupCommit());

    // Rounds without another reply held back after which a group stops waiting. A round without work takes about a microsecond.
    private const int MaxIdleRounds = 16;

    // Approximate time to send one reply and receive the next request: P is a multiple of it.
    private static readonly TimeSpan TurnTime = TimeSpan.FromMicroseconds(10);

    // With P this many times as long as T, two groups achieve at least a quarter more than one.
    private const int SyncsInLongTurns = 3;

    private const int KeptGroups = 8;

    private static readonly Action<object?> Look = static held => ((GroupCommit)held!).LookAtOpen();

    // Where owners are queues, replies held back on one thread continue on others.
    private readonly Lock _gate = new();
    private readonly Stack<CommitGroup> _free = new();
    private CommitGroup? _open;
    private bool _isParked; // the open group is not checked until it grows or another one returns
    private int _seen;
    private int _idleRounds;
    private int _waiting; // replies in closed groups
    private int _lately; // replies in all groups when the last one was closed

    /// <summary>Adds a reply; the caller runs on the owner of its connection.</summary>
    public void Add(ReplyGate gate)
    {
        lock (_gate)
        {
            if (_open is null)
            {
                _open = _free.TryPop(out CommitGroup? used) ? used : new CommitGroup(this);
                (_seen, _idleRounds) = (0, 0);
                _isParked = true;
            }
            else if (!_open.Takes(gate))
            {
                gate.AwaitAlone();
                return;
            }

            _open.Add(gate);
            if (!_isParked || (_open.Count > 1 && _open.Count < Wanted(_open.Log)))
                return;
            _isParked = false;
        }

        gate.Connection.Post(Look, this);
    }

    /// <summary>Returns a group whose replies are no longer held back.</summary>
    /// <param name="group">The group, empty now.</param>
    /// <param name="count">The number of replies it had.</param>
    public void Return(CommitGroup group, int count)
    {
        IClientConnection? first = null;
        lock (_gate)
        {
            _waiting -= count;
            if (_free.Count < KeptGroups)
                _free.Push(group);
            if (_isParked && _open is not null)
                first = _open.First;
            _isParked = false;
        }

        first?.Post(Look, this);
    }

    // Runs after the ready connections have had their turn.
    private void LookAtOpen()
    {
        CommitGroup group;
        bool isClosed;
        lock (_gate)
        {
            group = _open!;
            bool isShort = group.Count < Wanted(group.Log);
            _isParked = isShort && _waiting > 0;
            if (_isParked)
                return;
            _idleRounds = group.Count > _seen ? 0 : _idleRounds + 1;
            _seen = group.Count;
            isClosed = !isShort || _idleRounds >= MaxIdleRounds;
            if (isClosed)
            {
                _open = null;
                _waiting += group.Count;
                _lately = _waiting;
            }
        }

        if (isClosed)
            group.Await();
        else
            group.First.Post(Look, this);
    }

    private int Wanted(AppendOnlyLog log) => SyncsInLongTurns * log.SyncTime < _lately * TurnTime ? (_lately + 1) / 2 : _lately;
}
