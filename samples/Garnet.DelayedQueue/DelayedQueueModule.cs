// Queues whose items become visible later. One instance for each server; commands run on many threads.
using System.Collections.Concurrent;
using Garnet.Modules;

namespace Garnet.DelayedQueue;

/// <summary>
/// A queue is a sorted set whose scores are the times at which the items are due. Clients that wait for an item are woken by changes of
/// the key; for an item that only becomes due, a timer makes such a change.
/// </summary>
[Module("delay")]
public sealed class DelayedQueueModule : IModule
{
    // A timer ends within 49 days; an item may be due later, and clients may have written any score into the sorted set.
    private const long MaxTimerMs = TimeSpan.MillisecondsPerHour;

    private const int IdLength = 32;
    private const double Woken = -1e15; // added to the score of an item that was due when clients were woken; keeps the order

    private readonly ConcurrentDictionary<(int Database, string Queue), long> _wakeUps = new();
    private IModuleHost _host = null!;
    private CommandToken _add = null!;
    private CommandToken _remove = null!;
    private CommandToken? _wake;

    public void Load(IModuleHost host)
    {
        _host = host;
        _add = host.FindCommand("ZADD");
        _remove = host.FindCommand("ZREM");
    }

    [Command(
        "DELAY.ADD",
        CommandFlags.Write | CommandFlags.DenyOom | CommandFlags.Fast,
        Summary = "Adds an item that is due after some milliseconds; replies with the number of items."
    )]
    public void Add(ref ModuleContext context, [Key] ref SortedSetKey queue, long delayMs, ReadOnlySpan<byte> item)
    {
        if (delayMs is < 0 or > 31_536_000_000)
        {
            context.Reply.WriteError("ERR the delay must be between 0 and a year"u8);
            return;
        }

        // Equal items are different members. What is random or depends on the time is replicated as it is.
        byte[] member = new byte[IdLength + item.Length];
        Guid.NewGuid().TryFormat(member, out _, "N");
        item.CopyTo(member.AsSpan(IdLength));
        double dueMs = context.NowMs + delayMs;
        queue.Set(member, dueMs);
        context.Replicate(context.Request(_add).Add(context[1]).Add(dueMs).Add(member));
        context.Reply.WriteInteger(queue.Length);
    }

    [Command(
        "DELAY.TAKE",
        CommandFlags.Write | CommandFlags.Blocking,
        Summary = "Takes the first item that is due, or waits for one; a timeout of 0 is none."
    )]
    public void Take(ref ModuleContext context, [Key] ref SortedSetKey queue, long timeoutMs)
    {
        if (timeoutMs is < 0 or > int.MaxValue)
        {
            context.Reply.WriteError("ERR timeout is out of range"u8);
            return;
        }

        bool mayTake = !context.HasEarlierWaiters(1);
        ScoredMembers first = queue.Range(0, 1);
        bool hasItem = first.MoveNext();
        if (hasItem && mayTake && first.Score <= context.NowMs)
        {
            byte[] member = first.Current.ToArray();
            queue.Remove(member);
            context.Replicate(_remove, context[1], member);
            context.Reply.WriteBulk(member.AsSpan(Math.Min(IdLength, member.Length)));
        }
        else if (!context.TryWaitForKeys(1, 1, KeyType.SortedSet, timeoutMs))
        {
            context.Reply.WriteNull();
        }
        else if (hasItem)
        {
            WakeAt(context.Database, context[1].ToArray(), (long)first.Score, context.NowMs);
        }
    }

    [Command("DELAY.WAKE", CommandFlags.Write, Summary = "Wakes the clients that wait for items which are due.")]
    public void Wake(ref ModuleContext context, [Key] ref SortedSetKey queue)
    {
        List<(byte[] Member, double Score)> due = [];
        ScoredMembers items = queue.Range(0, queue.Length);
        while (items.MoveNext() && items.Score <= context.NowMs && !context.ShouldStop)
        {
            if (items.Score >= 0)
                due.Add((items.Current.ToArray(), items.Score));
        }

        foreach ((byte[] member, double score) in due)
        {
            queue.Set(member, score + Woken);
            context.Replicate(context.Request(_add).Add(context[1]).Add(score + Woken).Add(member));
        }

        context.Reply.WriteInteger(due.Count);
    }

    // One timer for each queue, for the item that is due first.
    private void WakeAt(int database, byte[] queue, long dueMs, long nowMs)
    {
        (int, string) key = (database, Convert.ToBase64String(queue));
        if (dueMs < 0 || (_wakeUps.TryGetValue(key, out long earlier) && earlier <= dueMs))
            return;
        _wakeUps[key] = dueMs;
        _host.StartTimer(
            TimeSpan.FromMilliseconds(Math.Clamp(dueMs - nowMs, 1, MaxTimerMs)),
            Timeout.InfiniteTimeSpan,
            caller =>
            {
                _wakeUps.TryRemove(key, out _);
                long laterMs = _host.Time.GetUtcNow().ToUnixTimeMilliseconds();
                if (laterMs < dueMs)
                {
                    WakeAt(database, queue, dueMs, laterMs);
                    return;
                }

                _wake ??= _host.FindCommand("DELAY.WAKE");
                caller.Database = database;
                caller.Call(_wake, queue);
            }
        );
    }
}
