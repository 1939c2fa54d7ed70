// The header of a leaf or inner node, in native memory. Changed only under the key's exclusive latch; immutable while reachable from a
// frozen tree.
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Garnet.Store.Collections.Trees;

/// <summary>
/// The common header of all nodes. A node is born in a generation of its tree; frozen trees of that or a later generation may reach it,
/// older ones cannot. After the header a leaf has tags, offsets and entries (<see cref="LeafNode"/>), an inner node has children, counts
/// and separators (<see cref="InnerNode"/>).
/// </summary>
[StructLayout(LayoutKind.Explicit, Size = HeaderBytes)]
internal unsafe struct TreeNode
{
    /// <summary>Size of the header.</summary>
    public const int HeaderBytes = 32;

    /// <summary>Bits 0-5 of <see cref="Flags"/>: log2 of the step between a leaf's tags.</summary>
    public const int ShiftMask = 63;

    /// <summary>Bit of <see cref="Flags"/>: the leaf has external entries.</summary>
    public const int HasOutside = 64;

    /// <summary>Bit of <see cref="Flags"/>: the leaf has tags.</summary>
    public const int HasTags = 128;

    /// <summary>Bit of <see cref="Flags"/>, in leaves without tags: the leaf is a <see cref="CodedLeaf"/>.</summary>
    public const int Coded = 1;

    /// <summary>The link in a list of dead nodes; its lowest bit says that the node's descendants died with it. Never accessed by
    /// readers.</summary>
    [FieldOffset(0)]
    public nint Link;

    // Birth generation in the upper 56 bits: enough for a freeze every 10 ns for decades.
    [FieldOffset(8)]
    private ulong _origin;

    /// <summary>The hash up to which a leaf's tags are 0; in a coded leaf the number of runs.</summary>
    [FieldOffset(16)]
    public ulong Low;

    /// <summary>Number of entries, or children.</summary>
    [FieldOffset(24)]
    public ushort Count;

    /// <summary>Capacity of a leaf's directory in entries, or of an inner node in children.</summary>
    [FieldOffset(26)]
    public ushort Slots;

    /// <summary>Offset after a leaf's last entry.</summary>
    [FieldOffset(28)]
    public ushort End;

    /// <summary>0 for a leaf.</summary>
    [FieldOffset(30)]
    public byte Level;

    /// <summary>See the constants.</summary>
    [FieldOffset(31)]
    public byte Flags;

    /// <summary>The generation the node was born in.</summary>
    public readonly long Birth
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => (long)(_origin >> 8);
    }

    /// <summary>Bytes allocated for the node.</summary>
    public readonly int Capacity
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => NodeClasses.BytesOf((byte)_origin);
    }

    /// <summary>True for a <see cref="CodedLeaf"/>.</summary>
    public readonly bool IsCoded
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => (Flags & (HasTags | Coded)) == Coded;
    }

    /// <summary>An empty node of at least that many bytes.</summary>
    public static TreeNode* Allocate(NodeHeap heap, int bytes, long birth, int level)
    {
        var node = (TreeNode*)heap.Allocate(bytes);
        *node = default;
        node->_origin = ((ulong)birth << 8) | (uint)NodeClasses.Of(bytes);
        node->Level = (byte)level;
        return node;
    }
}
