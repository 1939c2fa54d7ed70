// The blocked commands of a server, by the keys they wait for. Thread-safe; only the table's own lock is waited for, briefly.
using System.Collections.Concurrent;
using System.Diagnostics;
using Garnet.Engine.Requests;
using Garnet.Engine.Rules;
using Garnet.Store;
using Microsoft.Extensions.Logging;

namespace Garnet.Engine.Execution;

/// <summary>
/// A writer that changes an awaited key marks it while holding the key's latch. When its command, or its whole transaction, has ended and
/// its latches are released, the writer's thread executes the waiting commands itself, first come first served, before it continues with
/// its next command. Lock order: the table's lock, then a latch; never the reverse.
/// </summary>
internal sealed class BlockedClients(
    Conditions conditions,
    ThreadScratchPool threads,
    IKeyspaceHolder script,
    CommandRecorder recorder,
    ILogger log
)
{
    private readonly Lock _gate = new();
    private readonly Dictionary<KeyName, KeyQueue> _queues = new(new KeyNameComparer());
    private readonly ConcurrentQueue<KeyQueue> _ready = new();
    private long _lastOrder;
    private int _readyCount;
    private int _queueCount;
    private int _queuesWithWaitersForEnd;

    /// <summary>Who may hold the keyspace for long.</summary>
    public IKeyspaceHolder Holder => script;

    /// <summary>The logs of slow and large commands.</summary>
    public CommandRecorder Recorder => recorder;

    /// <summary>The log.</summary>
    public ILogger Log => log;

    /// <summary>Number of keys that clients wait for.</summary>
    public int KeyCount => Volatile.Read(ref _queueCount);

    /// <summary>Number of keys whose deletion clients wait for.</summary>
    public int KeysWithWaitersForEnd => Volatile.Read(ref _queuesWithWaitersForEnd);

    /// <summary>True when <see cref="ServeReady"/> has work to do; cheap enough to check after every command.</summary>
    internal bool HasReady => Volatile.Read(ref _readyCount) != 0;

    /// <summary>
    /// True when another client waits for one of the keys at these arguments: a later one must then queue, even if the key has an element.
    /// </summary>
    internal bool HasWaiters(in CommandContext context, int firstKey, int keys)
    {
        if (KeyCount == 0)
            return false;
        lock (_gate)
        {
            Dictionary<KeyName, KeyQueue>.AlternateLookup<KeyNameSpan> lookup = _queues.GetAlternateLookup<KeyNameSpan>();
            for (int i = 0; i < keys; i++)
            {
                if (lookup.ContainsKey(new KeyNameSpan(context.Store.Database, context[firstKey + i], context.Hash(firstKey + i))))
                    return true;
            }
        }

        return false;
    }

    /// <summary>Queues a command behind the others that wait for its keys. On its client's thread, without latches.</summary>
    /// <returns>
    /// True when the caller must make the command check its keys again: a change between its own check and the watch went unnoticed.
    /// </returns>
    internal bool Add(BlockedCommand command)
    {
        using StoreVisit visit = new(command.Client.Store);
        lock (_gate)
        {
            command.Order = ++_lastOrder;
            foreach (KeyName name in command.Keys)
            {
                KeyQueue queue = QueueOf(name, command.Client.Store);
                if (queue.EndsWith(command))
                    continue;
                bool hadWaitersForEnd = queue.WaitersForEnd > 0;
                command.Positions.Add(new QueuePosition(queue, queue.Add(command)));
                _queuesWithWaitersForEnd += !hadWaitersForEnd && queue.WaitersForEnd > 0 ? 1 : 0;
            }
        }

        // Where none of the keys exists, this was the check.
        if (!command.IsServable())
        {
            command.IsUntried = false;
            return false;
        }

        // The commands before it have checked, and their keys have been watched since: only this command may need another check, unless it
        // queued behind them and must keep the order.
        if (!command.IsUntried)
            return true;
        foreach (QueuePosition position in command.Positions)
            position.Queue.OnTouched();
        return false;
    }

    /// <summary>
    /// Removes a command from its queues. On its client's thread, outside of a batch, when no thread can claim it any more.
    /// </summary>
    internal void Remove(BlockedCommand command)
    {
        if (command.Positions.Count == 0)
            return;
        StoreSession store = command.Client.Store;
        using StoreVisit visit = new(store);
        RemoveFromQueues(command, store);
        command.Positions.Clear();
    }

    private void RemoveFromQueues(BlockedCommand command, StoreSession store)
    {
        lock (_gate)
        {
            foreach ((KeyQueue queue, LinkedListNode<BlockedCommand> node) in command.Positions)
            {
                bool hadWaitersForEnd = queue.WaitersForEnd > 0;
                queue.Remove(node);
                _queuesWithWaitersForEnd -= hadWaitersForEnd && queue.WaitersForEnd == 0 ? 1 : 0;
                if (!queue.IsEmpty)
                    continue;
                _queues.Remove(queue.Name);
                if (--_queueCount == 0)
                    conditions.Set((uint)ObserverMask.Blocked, areRaised: false);
                store.Store.Watches.Unwatch(store, queue.Watcher);
            }
        }
    }

    /// <summary>Any thread, under a latch.</summary>
    internal void AddReady(KeyQueue queue)
    {
        _ready.Enqueue(queue);
        Interlocked.Increment(ref _readyCount);
    }

    /// <summary>Serves blocked commands whose keys have changed; called outside of any batch.</summary>
    internal void Serve()
    {
        // A script's thread serves them when it has ended.
        if (!HasReady || script.IsRunning)
            return;
        threads.Current.BeginBatch(1, Stopwatch.GetTimestamp());
        ServeReady();
    }

    /// <summary>Lets one blocked command check its keys again; called outside of any batch.</summary>
    internal void Serve(BlockedCommand command)
    {
        if (!command.TryClaim())
            return;
        threads.Current.BeginBatch(1, Stopwatch.GetTimestamp());
        command.RetryAll();
    }

    /// <summary>
    /// Serves the commands waiting for keys that have changed, until nothing is left to deliver; elements that a served command moves to
    /// another key are served as well.
    /// </summary>
    /// <param name="inside">
    /// The session whose batch the calling thread is in, without latches; the epoch is left meanwhile.
    /// </param>
    internal void ServeReady(StoreSession inside)
    {
        using StoreAbsence absence = new(inside);
        ServeReady();
    }

    private void ServeReady()
    {
        while (!script.IsSlow && _ready.TryDequeue(out KeyQueue? queue))
        {
            Interlocked.Decrement(ref _readyCount);
            queue.ClearReady();
            Retry(queue);
        }
    }

    private void Retry(KeyQueue queue)
    {
        lock (_gate)
        {
            if (!queue.TryBeginServing())
                return;
        }

        bool isDone = false;
        try
        {
            while (!isDone)
            {
                ServeRound(queue);
                lock (_gate)
                    isDone = queue.TryEndServing();
            }
        }
        finally
        {
            // An exception for one client must not block the others forever.
            if (!isDone)
            {
                lock (_gate)
                    queue.AbortServing();
            }
        }
    }

    // Commands that arrive while the queue is served wait for the next round, so that a round ends.
    private void ServeRound(KeyQueue queue)
    {
        long last;
        lock (_gate)
            last = _lastOrder;
        long after = 0;
        while (ClaimNext(queue, after, last) is { } command)
        {
            after = command.Order;
            if (!command.Retry(queue.Name) && queue.WaitersForEnd == 0)
                return;
        }
    }

    private BlockedCommand? ClaimNext(KeyQueue queue, long after, long last)
    {
        lock (_gate)
            return queue.ClaimNext(after, last);
    }

    private KeyQueue QueueOf(KeyName name, StoreSession store)
    {
        if (_queues.TryGetValue(name, out KeyQueue? queue))
            return queue;
        queue = new KeyQueue(this, name);
        _queues.Add(name, queue);
        // Before any change of the key can be noted: whoever notes it sees the bit when its latches are released.
        if (_queueCount++ == 0)
            conditions.Set((uint)ObserverMask.Blocked, areRaised: true);
        store.Store.Watches.Watch(store, name.Database, name.Key, name.Hash, queue.Watcher);
        return queue;
    }
}
