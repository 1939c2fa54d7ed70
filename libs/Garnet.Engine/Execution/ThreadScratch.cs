// Scratch memory and counters of one thread that executes commands; looked up once per batch, used by that thread alone.
using Garnet.Engine.Counters;
using Garnet.Engine.Events;
using Garnet.Engine.Requests;
using Garnet.Engine.Rules;

namespace Garnet.Engine.Execution;

/// <summary>
/// Data needed only while a batch runs: parsed arguments, resolved commands and statistics counters. It belongs to the thread, not to the
/// connection, so that an idle connection costs nothing for it and counters are updated without contention.
/// </summary>
internal sealed class ThreadScratch
{
    /// <summary>Maximum number of commands parsed ahead of execution: the upper bound of prefetch-batch-max-size.</summary>
    public const int MaxBatch = 128;

    private readonly CommandRecorder _recorder;

    /// <summary>Scratch memory for a thread of a server.</summary>
    /// <param name="commandIds">The number of commands' identifiers.</param>
    /// <param name="recorder">Its limits are taken before each batch.</param>
    public ThreadScratch(int commandIds, CommandRecorder recorder)
    {
        _recorder = recorder;
        Counters = new ThreadCounters(commandIds);
        Timer = new CommandTimer(Counters.Ticks, Counters.Latencies);
    }

    /// <summary>What is known while batches run.</summary>
    public ThreadBatches Batches { get; } = new();

    /// <summary>Objects that are used again.</summary>
    public ThreadPools Pools { get; } = new();

    /// <summary>The commands parsed ahead.</summary>
    public PreparedCommand[] Prepared { get; } = new PreparedCommand[MaxBatch];

    /// <summary>What this thread has done.</summary>
    public ThreadCounters Counters { get; }

    /// <summary>Fills the times of <see cref="Counters"/>.</summary>
    public CommandTimer Timer { get; }

    /// <summary>From when on commands are recorded; taken before each batch.</summary>
    public RecordLimits Limits { get; private set; } = RecordLimits.None;

    /// <summary>Called before a batch of commands is executed.</summary>
    /// <param name="commands">Their number.</param>
    /// <param name="now">The Stopwatch's present timestamp.</param>
    public void BeginBatch(int commands, long now)
    {
        Counters.MostCommands = Math.Max(Counters.MostCommands, commands);
        RecordLimits limits = Limits = _recorder.Limits;
        Timer.Begin(commands, limits.SlowTicks, limits.TracksLatency, now);
    }

    /// <summary>Reloads the logs' limits within a batch: they apply to the command that changed them already.</summary>
    public void TakeLimits()
    {
        Limits = _recorder.Limits;
        Timer.TakeLimits(Limits.SlowTicks, Limits.TracksLatency);
    }

    /// <summary>What the parts of the server keep on the thread; see <see cref="ThreadSlot{T}"/>.</summary>
    public object?[] Slots { get; } = new object?[ThreadSlots.Max];

    /// <summary>
    /// For commands that write elements whose count is known last; cleared by its user, before use or by moving it to the reply.
    /// </summary>
    public DeferredReply Deferred { get; } = new();

    /// <summary>The events of the commands that run, until they are published.</summary>
    public CommandEvents Events { get; } = new();

    /// <summary>Releases scratch memory that a command left behind when it threw.</summary>
    public void ReleaseScratch()
    {
        Deferred.Clear();
        Pools.EndMembers();
        Events.Discard();
    }
}
