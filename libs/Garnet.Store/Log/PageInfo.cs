// Metadata of one page of the log. Fields are changed with interlocked operations unless stated otherwise.
using System.Runtime.InteropServices;

namespace Garnet.Store.Log;

/// <summary>Facts about a page that are available without walking it.</summary>
[StructLayout(LayoutKind.Explicit, Size = 64)]
internal struct PageInfo
{
    /// <summary>The page is not in use.</summary>
    public const int Free = 0;

    /// <summary>The page holds records.</summary>
    public const int InUse = 1;

    /// <summary>The compactor is about to empty the page: its dead records are no longer reused.</summary>
    public const int Compacting = 2;

    /// <summary>Next free page (see TaggedStack).</summary>
    [FieldOffset(0)]
    public uint NextFree;

    /// <summary>Size of dead records and fillers in units of eight bytes.</summary>
    [FieldOffset(4)]
    public int DeadUnits;

    /// <summary>Number of chunks of this page that slots still allocate from.</summary>
    [FieldOffset(8)]
    public int OpenChunks;

    /// <summary>One of the states above; written by the thread that takes the page and by maintenance.</summary>
    [FieldOffset(12)]
    public int State;

    /// <summary>0 while new chunks may still be taken from the page; otherwise the epoch in which that ended.</summary>
    [FieldOffset(16)]
    public long ClosedEpoch;

    /// <summary>
    /// When expiry should visit the page, in Unix milliseconds; long.MaxValue for never. Lowered by threads that set an expiry.
    /// </summary>
    [FieldOffset(24)]
    public long WakeAtMs;

    /// <summary>How often the page was freed; identifies stale notes of dead records.</summary>
    [FieldOffset(32)]
    public uint Generation;
}
