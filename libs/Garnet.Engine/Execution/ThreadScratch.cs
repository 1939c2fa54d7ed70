// Scratch memory and counters of one thread that executes commands; looked up once per batch, used by that thread alone.
using Garnet.Engine.Counters;
using Garnet.Engine.Events;
using Garnet.Engine.Requests;
using Garnet.Engine.Rules;
using Garnet.Store;

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

    private const int KeptKeyReferences = 4096;

    private readonly List<IBatchEnd> _ends = [];
    private KeyReference[] _keyReferences = new KeyReference[16];

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

    /// <summary>Whether the last command's client gets a message that it has caused itself; it follows the command's reply.</summary>
    public bool ReachesSelf { get; set; }

    /// <summary>Whether an observer is to be told that the batch is over.</summary>
    public bool IsGathering { get; set; }

    /// <summary>Lets a part do something when the thread's outermost batch is over, once.</summary>
    public void AtEnd(IBatchEnd part) => _ends.Add(part);

    /// <summary>The outermost batch is over.</summary>
    public void EndBatch()
    {
        if (_ends.Count == 0)
            return;
        // One that enters itself again meanwhile is told again.
        for (int i = 0; i < _ends.Count; i++)
            _ends[i].OnBatchEnd();
        _ends.Clear();
    }

    /// <summary>Returns and clears <see cref="ReachesSelf"/>.</summary>
    public bool TakeReachesSelf()
    {
        bool reaches = ReachesSelf;
        ReachesSelf = false;
        return reaches;
    }

    /// <summary>How many batches the thread is in: more than one while it serves another client's blocked command.</summary>
    public int Depth { get; set; }

    /// <summary>True when the last EXEC ran its commands: their errors are not its own.</summary>
    public bool RanTransaction { get; set; }

    /// <summary>
    /// For commands that write elements whose count is known last; cleared by its user, before use or by moving it to the reply.
    /// </summary>
    public DeferredReply Deferred { get; } = new();

    /// <summary>The events of the commands that run, until they are published.</summary>
    public CommandEvents Events { get; } = new();

    /// <summary>Collects the members of a union; allocated on first use.</summary>
    public MemberTable Members => field ??= new MemberTable();

    /// <summary>Scratch list for the positions of one call's keys.</summary>
    public List<KeyPosition> KeyPositions { get; } = [];

    /// <summary>Releases scratch memory that a command left behind when it threw.</summary>
    public void ReleaseScratch()
    {
        Deferred.Clear();
        Members.End();
        Events.Discard();
    }

    /// <summary>Space for the keys that a command latches together; invalid after the next call.</summary>
    public Span<KeyReference> KeyReferences(int count)
    {
        if (count > KeptKeyReferences)
            return GC.AllocateUninitializedArray<KeyReference>(count);
        if (count > _keyReferences.Length)
            _keyReferences = new KeyReference[Math.Max(count, _keyReferences.Length * 2)];
        return _keyReferences.AsSpan(0, count);
    }
}
