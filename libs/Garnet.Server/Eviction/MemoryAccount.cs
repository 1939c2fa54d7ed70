// The memory of a server by who takes it, and how much of maxmemory that leaves to the store. Read by any thread; settled by the server's
// clock.
using Garnet.Server.Sessions;
using Garnet.Store;
using Garnet.Store.Memory;

namespace Garnet.Server.Eviction;

/// <summary>
/// One number, <see cref="UsedBytes"/>, counts what the store, connections and, in a process of its own, the managed heap take; maxmemory
/// bounds it. Then the resident memory, which also has the program itself in it and what the system has not taken back, must stay within a
/// tenth above maxmemory: what passes that is taken from the store too.
/// </summary>
public sealed class MemoryAccount(RespServer server)
{
    private const double MaxResident = 1.085;

    // The store passes its limit by a thirty-second at most, but as a rule by much less: what it did lately, while it was full, is what is
    // allowed for.
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

    /// <summary>Tells the native bytes of connections; set by the host, which has them.</summary>
    public Func<long> Connections { get; set; } = static () => 0;

    /// <summary>
    /// Whether the process is the server's alone, so that all its memory counts; set by the host before the server starts.
    /// </summary>
    public bool OwnsProcess { get; set; }

    /// <summary>Native bytes of connections: requests not finished, replies not sent, and buffers for them.</summary>
    public long ConnectionBytes => Connections();

    /// <summary>Bytes of the managed heap.</summary>
    public static long HeapBytes => Math.Max(GC.GetTotalMemory(forceFullCollection: false), GC.GetGCMemoryInfo().TotalCommittedBytes);

    /// <summary>Everything that counts.</summary>
    public long UsedBytes => server.Store.Statistics.AllocatedBytes + OutsideBytes + ScratchMemory.Bytes;

    /// <summary>What counts beside the store.</summary>
    public long OutsideBytes => ConnectionBytes + (OwnsProcess ? HeapBytes : 0);

    /// <summary>
    /// What serves saving and is bounded by itself, and what commands need while they run: evicting keys would not make it less.
    /// </summary>
    public long NotCountedBytes => (server.AppendOnly.Log?.StagedBytes ?? 0) + ScratchMemory.Bytes;

    /// <summary>Resident memory of the process, as of the last look.</summary>
    public long ResidentBytes => Volatile.Read(ref _residentBytes);

    /// <summary>What was in use when the server began.</summary>
    public long StartBytes => Volatile.Read(ref _startBytes);

    /// <summary>Looks at everything and tells the store what is left to it.</summary>
    internal void Settle()
    {
        HybridLogStore store = server.Store;
        long outside = OutsideBytes;
        long allocated = store.Statistics.AllocatedBytes;
        // Scratch memory is given back soon; no key goes for it. It may have gone while the resident memory was read.
        long scratch = ScratchMemory.Bytes;
        long resident = ResidentMemory.Bytes;
        scratch = Math.Max(scratch, ScratchMemory.Bytes);
        Volatile.Write(ref _residentBytes, resident);
        if (StartBytes == 0)
            Volatile.Write(ref _startBytes, allocated + outside);
        server.Statistics.NoteMemory(allocated + outside + scratch);
        long limit = server.Configuration.Current.MaxMemoryBytes;
        if (limit == 0 || !OwnsProcess)
        {
            store.OutsideMemoryBytes = outside;
            return;
        }

        // The two numbers are not of one moment, so a mean is taken; one that follows quickly when there is more, as the limit must hold,
        // and slowly when there is less.
        long other = Math.Max(0, resident - allocated - scratch);
        _otherBytes = _otherBytes < 0 ? other : _otherBytes + ((other - _otherBytes) / (other > _otherBytes ? 2 : 8));
        NotePassing((double)store.TakePeakAllocatedBytes() / Math.Max(1, store.Statistics.LimitBytes));
        long left = (long)(((limit * MaxResident) - _otherBytes) / _passed);
        store.OutsideMemoryBytes = Math.Max(outside, limit - left);
        if (left < limit - outside && allocated > left / 2)
            TidyProgram();
    }

    // Now and then what was called once in a while lies idle again.
    private void TidyProgram()
    {
        long now = Environment.TickCount64;
        if (now < _nextTidyMs)
            return;
        _nextTidyMs = now + TidyEveryMs;
        ProgramPages.GiveBack();
    }

    // Far above is a limit that was lowered just now.
    private void NotePassing(double most)
    {
        most = Math.Clamp(most, 0, MaxPassed);
        if (most >= _passed)
            _passed = most;
        else if (most >= Full)
            _passed = Math.Max(MinPassed, _passed + ((most - _passed) * Forgetting));
    }
}
