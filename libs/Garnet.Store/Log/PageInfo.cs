// Bookkeeping of one page of the log. Fields are changed with interlocked operations unless said otherwise.
using System.Runtime.InteropServices;

namespace Garnet.Store.Log;

/// <summary>What is known about a page without walking it.</summary>
[StructLayout(LayoutKind.Explicit, Size = 64)]
internal struct PageInfo
{
    /// <summary>The page is not in use.</summary>
    public const int Free = 0;

    /// <summary>The page holds records.</summary>
    public const int InUse = 1;

    /// <summary>The cleaner is about to empty the page: its dead records are not reused any more.</summary>
    public const int Compacting = 2;

    /// <summary>Next free page (see TaggedStack).</summary>
    [FieldOffset(0)]
    public uint NextFree;

    /// <summary>Units of eight bytes in dead records and fillers.</summary>
    [FieldOffset(4)]
    public int DeadUnits;

    /// <summary>Chunks of this page that slots still allocate from.</summary>
    [FieldOffset(8)]
    public int OpenChunks;

    /// <summary>One of the states above; written by the taker of the page and by maintenance.</summary>
    [FieldOffset(12)]
    public int State;

    /// <summary>0 while new chunks may still come from the page; else the epoch in which that ended.</summary>
    [FieldOffset(16)]
    public long ClosedEpoch;

    /// <summary>
    /// When expiry should visit the page, in Unix milliseconds; long.MaxValue for never. Lowered by whoever sets an expiry.
    /// </summary>
    [FieldOffset(24)]
    public long WakeAtMs;

    /// <summary>How often the page was freed; tells apart stale notes of dead records.</summary>
    [FieldOffset(32)]
    public uint Generation;
}
