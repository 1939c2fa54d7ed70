// The memory of a server by component, and how much of maxmemory that leaves for the store. Read by any thread; updated by the server's
// clock.
using Garnet.Engine.Counters;
using Garnet.Server.Basics;
using Garnet.Server.Configuration;
using Garnet.Server.Messaging;
using Garnet.Server.Persistence;
using Garnet.Server.Scripting;
using Garnet.Store;
using Garnet.Store.Memory;

namespace Garnet.Server.Eviction;

/// <summary>
/// <see cref="UsedBytes"/> counts the memory of the store, connections and, in a process of its own, the managed heap; maxmemory limits it.
/// In addition the resident memory, which includes the program itself and memory that the system has not reclaimed, must stay within a
/// tenth above maxmemory: any excess is subtracted from the store's share too.
/// </summary>
internal sealed class MemoryAccount(
    HybridLogStore store,
    ServerConfiguration configuration,
    ServerStatistics statistics,
    AppendOnly appendOnly,
    MessageHub messages,
    ServerScripts scripts,
    IHostFigures host
)
{
    private const double MaxResident = 1.085;

    // How far resident memory has been seen above its aim between two measurements, at the highest rate of writes; less for small limits.
    private const long MaxAboveAimBytes = 6 << 20;
    private const int LeastShareAboveAim = 32;

    // The store exceeds its limit by at most a thirty-second, but usually by much less: the allowance is the recent excess while it was
    // full.
    private const double MaxPassed = 1 + (1 / 32.0);
    private const double MinPassed = 1 + (1 / 256.0);
    private const double Full = 1 - (1 / 64.0);
    private const double Forgetting = 1 / 128.0;

    private const int TidyEveryMs = 30_000;

    private double _passed = MaxPassed;
    private long _nextTidyMs;
    private long _otherBytes = -1;
    private long _residentBytes;
    private long _startBytes;

    /// <summary>Whether the process is the server's alone, so that all its memory counts.</summary>
    public bool OwnsProcess => host.OwnsProcess;

    /// <summary>Native bytes of connections: unfinished requests, unsent replies, and buffers for them.</summary>
    public long ConnectionBytes => host.ConnectionBytes;

    /// <summary>Bytes of the managed heap.</summary>
    public static long HeapBytes => Math.Max(GC.GetTotalMemory(forceFullCollection: false), GC.GetGCMemoryInfo().TotalCommittedBytes);

    /// <summary>All counted memory.</summary>
    public long UsedBytes => store.Statistics.AllocatedBytes + OutsideBytes + ScratchMemory.Bytes;

    /// <summary>
    /// Counted memory outside of the store; messages that wait for an I/O thread, and scripts, are part of the managed heap.
    /// </summary>
    public long OutsideBytes => ConnectionBytes + (OwnsProcess ? HeapBytes : messages.QueuedBytes + ScriptBytes);

    /// <summary>Memory of scripts where the managed heap does not count as a whole.</summary>
    public long ScriptBytes => OwnsProcess ? 0 : scripts.Bytes;

    /// <summary>
    /// Memory used for saving, which has its own bound, and scratch memory of running commands: evicting keys would not reduce either.
    /// </summary>
    public long NotCountedBytes => (appendOnly.Log?.StagedBytes ?? 0) + ScratchMemory.Bytes;

    /// <summary>Resident memory of the process, as last measured.</summary>
    public long ResidentBytes => Volatile.Read(ref _residentBytes);

    /// <summary>Resident memory when the server started.</summary>
    public long StartBytes => Volatile.Read(ref _startBytes);

    /// <summary>Measures everything and sets the store's limit.</summary>
    internal void Settle()
    {
        long outside = OutsideBytes;
        long allocated = store.Statistics.AllocatedBytes;
        // Scratch memory is freed soon; no key is evicted for it. It may have been freed while the resident memory was read.
        long scratch = ScratchMemory.Bytes;
        long resident = ResidentMemory.Bytes;
        scratch = Math.Max(scratch, ScratchMemory.Bytes);
        Volatile.Write(ref _residentBytes, resident);
        if (StartBytes == 0)
            Volatile.Write(ref _startBytes, allocated + outside);
        statistics.RecordMemory(allocated + outside + scratch);
        long limit = configuration.Current.MaxMemoryBytes;
        if (limit == 0 || !OwnsProcess)
        {
            store.Budget.OutsideBytes = outside;
            return;
        }

        // The two numbers are not from the same moment, so a mean is used; it follows increases quickly, because the limit must hold, and
        // decreases slowly.
        long other = Math.Max(0, resident - allocated - scratch);
        _otherBytes = _otherBytes < 0 ? other : _otherBytes + ((other - _otherBytes) / (other > _otherBytes ? 2 : 8));
        OnPassing((double)store.Budget.TakePeakAllocated() / Math.Max(1, store.Statistics.LimitBytes));
        long aim = (long)(limit * MaxResident) - Math.Min(MaxAboveAimBytes, limit / LeastShareAboveAim);
        long left = (long)((aim - _otherBytes) / _passed);
        store.Budget.OutsideBytes = Math.Max(outside, limit - left);
        if (left < limit - outside && allocated > left / 2)
            TidyProgram();
    }

    // From time to time, rarely called code becomes idle again.
    private void TidyProgram()
    {
        long now = Environment.TickCount64;
        if (now < _nextTidyMs)
            return;
        _nextTidyMs = now + TidyEveryMs;
        ProgramPages.GiveBack();
    }

    // Far above means that the limit was lowered just now.
    private void OnPassing(double most)
    {
        most = Math.Clamp(most, 0, MaxPassed);
        if (most >= _passed)
            _passed = most;
        else if (most >= Full)
            _passed = Math.Max(MinPassed, _passed + ((most - _passed) * Forgetting));
    }
}
