// Entries too long for a leaf, each in an allocation of its own, counted by the leaves that refer to it. Thread-safe counting.
using System.Runtime.InteropServices;
using Garnet.Store.Memory;

namespace Garnet.Store.Collections.Trees;

/// <summary>
/// The header of an entry outside of its leaf; the bytes follow it. Leaves of live and frozen trees share it: only while one leaf alone
/// refers to it may it grow in place.
/// </summary>
[StructLayout(LayoutKind.Sequential, Size = HeaderBytes)]
internal unsafe struct OverflowEntry
{
    /// <summary>Bytes of the header.</summary>
    public const int HeaderBytes = 16;

    /// <summary>Leaves that refer to it.</summary>
    public int References;

    /// <summary>Bytes of the entry.</summary>
    public int Length;

    /// <summary>The block it lies in; null when it is a node of the heap.</summary>
    public BlockHeader* Block;

    /// <summary>Takes another reference.</summary>
    public static void AddReference(OverflowEntry* entry) => Interlocked.Increment(ref entry->References);

    /// <summary>The bytes.</summary>
    public static ReadOnlySpan<byte> Bytes(OverflowEntry* entry) => new((byte*)entry + HeaderBytes, entry->Length);
}
