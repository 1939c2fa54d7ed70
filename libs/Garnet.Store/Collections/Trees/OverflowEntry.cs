// External entries: too long for a leaf, each in its own allocation, reference-counted by leaves. The counting is thread-safe.
using System.Runtime.InteropServices;
using Garnet.Store.Memory;

namespace Garnet.Store.Collections.Trees;

/// <summary>
/// The header of an external entry; the bytes follow it. Leaves of live and frozen trees share it: it may grow in place only while a single
/// leaf refers to it.
/// </summary>
[StructLayout(LayoutKind.Sequential, Size = HeaderBytes)]
internal unsafe struct OverflowEntry
{
    /// <summary>Size of the header.</summary>
    public const int HeaderBytes = 16;

    /// <summary>Number of leaves that refer to it.</summary>
    public int References;

    /// <summary>Length of the entry.</summary>
    public int Length;

    /// <summary>The block that contains it; null when it is a node of the heap.</summary>
    public BlockHeader* Block;

    /// <summary>Adds a reference.</summary>
    public static void AddReference(OverflowEntry* entry) => Interlocked.Increment(ref entry->References);

    /// <summary>The bytes.</summary>
    public static ReadOnlySpan<byte> Bytes(OverflowEntry* entry) => new((byte*)entry + HeaderBytes, entry->Length);
}
