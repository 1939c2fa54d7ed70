// Gathers the replies that one thread's connections hold back, so that they wait for the disk together. Used by the owners of the connections.
using Garnet.Persistence.AppendLog;
using Garnet.Server.Sessions;

namespace Garnet.Server.Persistence;

/// <summary>
/// What is held back while a thread serves the connections that are ready makes one group, which waits as one: the log is woken once for it, and wakes the thread once. A sync takes as
/// long for many as for one, so a group stays open until it has its share of those whose replies were held back lately, while the log has another to do with, or for a few rounds.
/// </summary>
/// <remarks>
/// With N clients that each wait for their replies, a sync of T, and P for the thread and the clients to send N replies and requests: one group of all gives N in T + P, two that take turns
/// give N in the longer of 2 T and P.
/// </remarks>
internal sealed class HeldReplies
{
    // Rounds without another reply held back after which a group waits for no more. A round without work takes about a microsecond.
    private const int MostIdleRounds = 16;

    // What sending one reply and receiving the next request takes, roughly: P is a multiple of it.
    private static readonly TimeSpan TurnTime = TimeSpan.FromMicroseconds(10);

    private const int KeptGroups = 8;

    private static readonly Action<object?> Look = static held => ((HeldReplies)held!).LookAtOpen();

    // Where owners are queues, what was held back on one thread goes on on others.
    private readonly Lock gate = new();
    private readonly Stack<HeldGroup> free = new();
    private HeldGroup? open;
    private bool isParked; // nobody looks at the open group until it grows or another comes back
    private int seen;
    private int idleRounds;
    private int waiting; // replies in groups that are closed
    private int lately; // replies in all groups when the last one was closed

    /// <summary>Adds a reply that is held back; the caller runs on the owner of its connection.</summary>
    public void Add(ReplyHold hold)
    {
        lock (gate)
        {
            if (open is null)
            {
                open = free.TryPop(out HeldGroup? used) ? used : new HeldGroup(this);
                (seen, idleRounds) = (0, 0);
                isParked = true;
            }
            else if (!open.Takes(hold))
            {
                hold.AwaitAlone();
                return;
            }

            open.Add(hold);
            if (!isParked || (open.Count > 1 && open.Count < Wanted(open.Log)))
                return;
            isParked = false;
        }

        hold.Connection.Post(Look, this);
    }

    /// <summary>Takes back a group whose replies are no longer held.</summary>
    /// <param name="group">The group, empty now.</param>
    /// <param name="count">How many replies it held.</param>
    public void Return(HeldGroup group, int count)
    {
        IClientConnection? first = null;
        lock (gate)
        {
            waiting -= count;
            if (free.Count < KeptGroups)
                free.Push(group);
            if (isParked && open is not null)
                first = open.First;
            isParked = false;
        }

        first?.Post(Look, this);
    }

    // After those that were ready have had their turn.
    private void LookAtOpen()
    {
        HeldGroup group;
        bool isClosed;
        lock (gate)
        {
            group = open!;
            bool isShort = group.Count < Wanted(group.Log);
            isParked = isShort && waiting > 0;
            if (isParked)
                return;
            idleRounds = group.Count > seen ? 0 : idleRounds + 1;
            seen = group.Count;
            isClosed = !isShort || idleRounds >= MostIdleRounds;
            if (isClosed)
            {
                open = null;
                waiting += group.Count;
                lately = waiting;
            }
        }

        if (isClosed)
            group.Await();
        else
            group.First.Post(Look, this);
    }

    private int Wanted(AppendLog log) => log.SyncTime < lately * TurnTime ? (lately + 1) / 2 : lately;
}
