// The layout of a leaf: locating its entries and moving them. Pure functions of one node's bytes.
using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;

namespace Garnet.Store.Collections.Trees;

/// <summary>
/// After the header: a tag byte per slot (in leaves with tags), a 16-bit offset per slot, then the entries in order without gaps. An entry
/// ends where the next starts. Leaves of lists have a different layout (<see cref="CodedLeaf"/>). The highest bit of an offset marks eight
/// bytes that are the address of an <see cref="OverflowEntry"/>. Tags are (first word - Low) >> shift, clamped to 0..255, so they are in
/// ascending order.
/// </summary>
internal static unsafe class LeafNode
{
    /// <summary>Flag of an external entry, in its offset.</summary>
    public const int OutsideMark = 0x8000;

    /// <summary>The offset itself.</summary>
    public const int OffsetMask = 0x1FFF;

    private const int SlotStep = 8;

    /// <summary>Size of the entries and their directory if the leaf were repacked.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int UsedBytes(TreeNode* leaf) =>
        TreeNode.HeaderBytes + DataBytes(leaf) + (leaf->IsCoded ? CodedLeaf.SlotsFor(leaf->Count) * 3 : leaf->Count * SlotBytes(leaf));

    /// <summary>Size of a leaf for <paramref name="entries"/> entries of <paramref name="bytes"/> bytes in total.</summary>
    public static int BytesFor(LeafKind kind, int entries, int bytes) =>
        TreeNode.HeaderBytes
        + bytes
        + kind switch
        {
            LeafKind.Plain => RoundSlots(entries) * 2,
            LeafKind.Tagged => RoundSlots(entries) * 3,
            _ => CodedLeaf.SlotsFor(entries) * 3,
        };

    /// <summary>Total size of the entries.</summary>
    public static int DataBytes(TreeNode* leaf) => leaf->IsCoded ? CodedLeaf.DataBytes(leaf) : leaf->End - DataStart(leaf);

    /// <summary>
    /// An empty leaf for <paramref name="entries"/> entries of <paramref name="bytes"/> bytes in total, with at least
    /// <paramref name="spare"/> spare bytes, shared between directory and entries.
    /// </summary>
    public static TreeNode* Allocate(NodeHeap heap, LeafKind kind, long birth, int entries, int bytes, int spare)
    {
        int need = BytesFor(kind, entries, bytes);
        int capacity = NodeClasses.Round(need + spare);
        int average = (bytes / Math.Max(1, entries)) + (kind == LeafKind.Tagged ? 3 : 2);
        int more = (capacity - need) / average;
        TreeNode* leaf = TreeNode.Allocate(heap, capacity, birth, 0);
        bool isLarger = BytesFor(kind, entries + more, bytes) <= capacity;
        leaf->Slots = (ushort)(
            kind == LeafKind.Coded
                ? CodedLeaf.SlotsFor(isLarger ? entries + more : entries)
                : RoundSlots(isLarger ? entries + more : entries)
        );
        leaf->Flags = kind switch
        {
            LeafKind.Tagged => TreeNode.HasTags | 56,
            LeafKind.Coded => TreeNode.Coded,
            _ => 0,
        };
        leaf->End = (ushort)DataStart(leaf);
        return leaf;
    }

    /// <summary>The entry's bytes, in place.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ReadOnlySpan<byte> Entry(TreeNode* leaf, int index)
    {
        Debug.Assert((uint)index < leaf->Count, "Entry index out of range.");
        if (leaf->IsCoded)
            return CodedLeaf.EntryAt(leaf, CodedLeaf.Locate(leaf, index));

        int offset = Offsets(leaf)[index];
        int start = offset & OffsetMask;
        if (offset >= OutsideMark)
            return OverflowEntry.Bytes((OverflowEntry*)Unsafe.ReadUnaligned<nint>((byte*)leaf + start));

        return new ReadOnlySpan<byte>((byte*)leaf + start, EndOf(leaf, index) - start);
    }

    /// <summary>Prefetches the cache lines of header, tags and offsets of a tagged leaf, all at once.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Prefetch(TreeNode* leaf)
    {
        if (Sse.IsSupported)
        {
            Sse.Prefetch0(leaf);
            Sse.Prefetch0((byte*)leaf + 64);
            Sse.Prefetch0((byte*)leaf + 128);
            Sse.Prefetch0((byte*)leaf + 192);
            Sse.Prefetch0((byte*)leaf + 256);
        }
    }

    /// <summary>Prefetches the beginning of an entry; not for coded leaves.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void PrefetchEntry(TreeNode* leaf, int index)
    {
        if (Sse.IsSupported)
            Sse.Prefetch0((byte*)leaf + (Offsets(leaf)[index] & OffsetMask));
    }

    /// <summary>True when the entry is external.</summary>
    public static bool IsOutside(TreeNode* leaf, int index) =>
        leaf->IsCoded ? CodedLeaf.IsOutside(leaf, index) : Offsets(leaf)[index] >= OutsideMark;

    /// <summary>The external entry at an index.</summary>
    public static OverflowEntry* Outside(TreeNode* leaf, int index) =>
        leaf->IsCoded
            ? CodedLeaf.Outside(leaf, index)
            : (OverflowEntry*)Unsafe.ReadUnaligned<nint>((byte*)leaf + (Offsets(leaf)[index] & OffsetMask));

    /// <summary>Bytes that an entry takes in the leaf itself.</summary>
    public static int StoredBytes(TreeNode* leaf, int index) =>
        leaf->IsCoded ? CodedLeaf.StoredBytes(leaf, index) : EndOf(leaf, index) - (Offsets(leaf)[index] & OffsetMask);

    /// <summary>True when an entry of that many stored bytes can be added in place.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool HasSpace(TreeNode* leaf, int bytes) =>
        leaf->IsCoded ? CodedLeaf.HasSpace(leaf, bytes) : leaf->Count < leaf->Slots && leaf->End + bytes <= leaf->Capacity;

    /// <summary>Inserts an entry before an index; it must fit. The stored bytes are the entry's, or the address of an external
    /// one.</summary>
    public static void Insert(TreeNode* leaf, int index, ReadOnlySpan<byte> stored, bool isOutside, ulong firstWord)
    {
        Debug.Assert(HasSpace(leaf, stored.Length) && index <= leaf->Count, "No space in the leaf for a new entry.");
        if (leaf->IsCoded)
        {
            CodedLeaf.Insert(leaf, index, stored);
            return;
        }

        ushort* offsets = Offsets(leaf);
        int count = leaf->Count;
        int start = index < count ? offsets[index] & OffsetMask : leaf->End;
        byte* data = (byte*)leaf + start;
        Move(data, data + stored.Length, leaf->End - start);
        stored.CopyTo(new Span<byte>(data, stored.Length));
        ShiftUp(offsets + index, count - index, stored.Length);
        offsets[index] = (ushort)(start | (isOutside ? OutsideMark : 0));
        if ((leaf->Flags & TreeNode.HasTags) != 0)
        {
            byte* tags = Tags(leaf);
            Move(tags + index, tags + index + 1, count - index);
            tags[index] = TagOf(leaf, firstWord);
        }

        leaf->Flags |= isOutside ? (byte)TreeNode.HasOutside : (byte)0;
        leaf->End += (ushort)stored.Length;
        leaf->Count++;
    }

    /// <summary>Removes entries starting at an index; the caller releases external ones.</summary>
    public static void Remove(TreeNode* leaf, int index, int entries)
    {
        if (leaf->IsCoded)
        {
            CodedLeaf.Remove(leaf, index, entries);
            return;
        }

        ushort* offsets = Offsets(leaf);
        int count = leaf->Count;
        int start = offsets[index] & OffsetMask;
        int end = EndOf(leaf, index + entries - 1);
        Move((byte*)leaf + end, (byte*)leaf + start, leaf->End - end);
        int behind = count - index - entries;
        ushort difference = (ushort)(end - start);
        ShiftDown(offsets + index, behind, entries, difference);
        if ((leaf->Flags & TreeNode.HasTags) != 0)
        {
            byte* tags = Tags(leaf);
            Move(tags + index + entries, tags + index, behind);
        }

        leaf->End -= difference;
        leaf->Count -= (ushort)entries;
    }

    /// <summary>Replaces an entry's bytes, keeping its key; they must fit.</summary>
    public static void Replace(TreeNode* leaf, int index, ReadOnlySpan<byte> stored, bool isOutside)
    {
        if (leaf->IsCoded)
        {
            CodedLeaf.Replace(leaf, index, stored);
            return;
        }

        ushort* offsets = Offsets(leaf);
        int start = offsets[index] & OffsetMask;
        int end = EndOf(leaf, index);
        int difference = stored.Length - (end - start);
        if (difference != 0)
        {
            Move((byte*)leaf + end, (byte*)leaf + end + difference, leaf->End - end);
            for (int i = index + 1; i < leaf->Count; i++)
                offsets[i] = (ushort)(offsets[i] + difference);

            leaf->End = (ushort)(leaf->End + difference);
        }

        stored.CopyTo(new Span<byte>((byte*)leaf + start, stored.Length));
        offsets[index] = (ushort)(start | (isOutside ? OutsideMark : 0));
        leaf->Flags |= isOutside ? (byte)TreeNode.HasOutside : (byte)0;
    }

    /// <summary>
    /// Extends an internal entry by some bytes (or none) that the caller writes; they must fit. Not for leaves of element codes.
    /// </summary>
    public static Span<byte> Extend(TreeNode* leaf, int index, int bytes)
    {
        Debug.Assert(!leaf->IsCoded && leaf->End + bytes <= leaf->Capacity, "No space in the leaf to extend an entry.");
        ushort* offsets = Offsets(leaf);
        int start = offsets[index] & OffsetMask;
        int end = EndOf(leaf, index);
        if (bytes != 0)
        {
            Move((byte*)leaf + end, (byte*)leaf + end + bytes, leaf->End - end);
            for (int i = index + 1; i < leaf->Count; i++)
                offsets[i] = (ushort)(offsets[i] + bytes);

            leaf->End += (ushort)bytes;
        }

        return new Span<byte>((byte*)leaf + start, end + bytes - start);
    }

    /// <summary>
    /// Appends a run of another leaf's entries, which must fit. Tags are copied unchanged: the caller has given both leaves the same tag
    /// range, or recomputes the tags.
    /// </summary>
    public static void AppendRun(TreeNode* leaf, TreeNode* source, int from, int entries, bool isShared)
    {
        if (entries == 0)
            return;

        if (leaf->IsCoded)
        {
            CodedLeaf.AppendRun(leaf, source, from, entries, isShared);
            return;
        }

        ushort* sources = Offsets(source) + from;
        ushort* targets = Offsets(leaf) + leaf->Count;
        int start = sources[0] & OffsetMask;
        int bytes = EndOf(source, from + entries - 1) - start;
        Debug.Assert(
            leaf->Count + entries <= leaf->Slots && leaf->End + bytes <= leaf->Capacity,
            "No space in the leaf for a run of entries."
        );
        Unsafe.CopyBlockUnaligned((byte*)leaf + leaf->End, (byte*)source + start, (uint)bytes);
        int difference = leaf->End - start;
        for (int i = 0; i < entries; i++)
            targets[i] = (ushort)(sources[i] + difference);

        if ((leaf->Flags & TreeNode.HasTags) != 0)
            Unsafe.CopyBlockUnaligned(Tags(leaf) + leaf->Count, Tags(source) + from, (uint)entries);

        if ((source->Flags & TreeNode.HasOutside) != 0)
        {
            leaf->Flags |= TreeNode.HasOutside;
            for (int i = 0; isShared && i < entries; i++)
            {
                if (targets[i] >= OutsideMark)
                    OverflowEntry.AddReference((OverflowEntry*)Unsafe.ReadUnaligned<nint>((byte*)leaf + (targets[i] & OffsetMask)));
            }
        }

        leaf->End += (ushort)bytes;
        leaf->Count += (ushort)entries;
    }

    /// <summary>A copy of a leaf with a new birth generation; external entries are shared.</summary>
    public static TreeNode* Copy(NodeHeap heap, TreeNode* source, long birth)
    {
        TreeNode* leaf = TreeNode.Allocate(heap, source->Capacity, birth, 0);
        leaf->Slots = source->Slots;
        leaf->Flags = (byte)(source->Flags & ~TreeNode.HasOutside);
        leaf->Low = source->IsCoded ? 0 : source->Low;
        leaf->End = (ushort)DataStart(leaf);
        AppendRun(leaf, source, 0, source->Count, isShared: true);
        return leaf;
    }

    /// <summary>The tag of a first word in a leaf.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static byte TagOf(TreeNode* leaf, ulong firstWord)
    {
        ulong low = leaf->Low;
        ulong steps = (firstWord - low) >> (leaf->Flags & TreeNode.ShiftMask);
        return firstWord < low ? (byte)0 : (byte)Math.Min(steps, 255);
    }

    /// <summary>
    /// Chooses the tag range of a leaf for entries whose first words are between two bounds, with some margin at both ends.
    /// </summary>
    public static void SetTagRange(TreeNode* leaf, ulong least, ulong most)
    {
        ulong margin = (most - least) >> 4;
        ulong low = least < margin ? 0 : least - margin;
        ulong high = most > ulong.MaxValue - margin ? ulong.MaxValue : most + margin;
        int shift = Math.Max(0, 64 - 8 - System.Numerics.BitOperations.LeadingZeroCount((high - low) | 1));
        leaf->Low = low;
        leaf->Flags = (byte)((leaf->Flags & ~TreeNode.ShiftMask) | shift);
    }

    /// <summary>Sets the tag of an entry.</summary>
    public static void SetTag(TreeNode* leaf, int index, ulong firstWord) => Tags(leaf)[index] = TagOf(leaf, firstWord);

    /// <summary>The first entry whose tag is not below a tag; <paramref name="behind"/> is the first whose tag is above it.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int FindTag(TreeNode* leaf, byte tag, out int behind)
    {
        byte* tags = Tags(leaf);
        int count = leaf->Count;
        int equal = 0;
        behind = 0;
        var wanted = Vector256.Create(tag);
        for (int i = 0; i < count; i += Vector256<byte>.Count)
        {
            // Reads up to 31 bytes after the tags: offsets and entries, all within the node; they are masked out.
            var some = Vector256.Load(tags + i);
            uint mask = count - i >= 32 ? uint.MaxValue : (1u << (count - i)) - 1;
            uint atMost = Vector256.Equals(Vector256.Min(some, wanted), some).ExtractMostSignificantBits() & mask;
            uint same = Vector256.Equals(some, wanted).ExtractMostSignificantBits() & mask;
            behind += System.Numerics.BitOperations.PopCount(atMost);
            equal += System.Numerics.BitOperations.PopCount(same);
        }

        return behind - equal;
    }

    /// <summary>
    /// The entry to split at, never the first or the end: about half of the bytes are before it, in <paramref name="before"/>.
    /// </summary>
    public static int Middle(TreeNode* leaf, out int before)
    {
        if (leaf->IsCoded)
            return CodedLeaf.Middle(leaf, out before);

        int half = DataBytes(leaf) / 2;
        int middle = 0;
        before = 0;
        while (middle < leaf->Count - 1 && (middle == 0 || before < half))
            before += StoredBytes(leaf, middle++);

        return middle;
    }

    /// <summary>Memory taken by a leaf's external entries.</summary>
    public static long OutsideBytes(TreeNode* leaf)
    {
        long bytes = 0;
        for (int i = (leaf->Flags & TreeNode.HasOutside) != 0 ? leaf->Count : 0; i > 0; i--)
            bytes += IsOutside(leaf, i - 1) ? OverflowEntries.Footprint(Outside(leaf, i - 1)->Length) : 0;

        return bytes;
    }

    /// <summary>Releases the external entries referred to by a range of a leaf.</summary>
    public static void ReleaseOutside(OverflowEntries overflow, TreeNode* leaf, int from, int entries)
    {
        if ((leaf->Flags & TreeNode.HasOutside) == 0)
            return;

        if (leaf->IsCoded)
        {
            CodedLeaf.ReleaseOutside(overflow, leaf, from, entries);
            return;
        }

        for (int i = from; i < from + entries; i++)
        {
            if (IsOutside(leaf, i))
                overflow.Release(Outside(leaf, i));
        }
    }

    private static int RoundSlots(int entries) => Math.Max(SlotStep, (entries + SlotStep - 1) / SlotStep * SlotStep);

    private static int SlotBytes(TreeNode* leaf) => (leaf->Flags & TreeNode.HasTags) != 0 ? 3 : 2;

    private static int DataStart(TreeNode* leaf) =>
        leaf->IsCoded ? CodedLeaf.DataStart(leaf) : TreeNode.HeaderBytes + (leaf->Slots * SlotBytes(leaf));

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static byte* Tags(TreeNode* leaf) => (byte*)leaf + TreeNode.HeaderBytes;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ushort* Offsets(TreeNode* leaf) =>
        (ushort*)((byte*)leaf + TreeNode.HeaderBytes + ((leaf->Flags & TreeNode.HasTags) != 0 ? leaf->Slots : 0));

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static int EndOf(TreeNode* leaf, int index) => index + 1 < leaf->Count ? Offsets(leaf)[index + 1] & OffsetMask : leaf->End;

    private static void Move(byte* from, byte* to, int bytes) => Buffer.MemoryCopy(from, to, bytes, bytes);

    // offsets[i + 1] = offsets[i] + bytes, from the last one down; vectorized, as leaves have many entries.
    private static void ShiftUp(ushort* offsets, int count, int bytes)
    {
        int i = count;
        var difference = Vector256.Create((ushort)bytes);
        while (i >= Vector256<ushort>.Count)
        {
            i -= Vector256<ushort>.Count;
            Vector256.Store(Vector256.Load(offsets + i) + difference, offsets + i + 1);
        }

        while (--i >= 0)
            offsets[i + 1] = (ushort)(offsets[i] + bytes);
    }

    // offsets[i] = offsets[i + entries] - bytes, from the first up.
    private static void ShiftDown(ushort* offsets, int count, int entries, int bytes)
    {
        int i = 0;
        var difference = Vector256.Create((ushort)bytes);
        for (; i <= count - Vector256<ushort>.Count; i += Vector256<ushort>.Count)
            Vector256.Store(Vector256.Load(offsets + i + entries) - difference, offsets + i);

        for (; i < count; i++)
            offsets[i] = (ushort)(offsets[i + entries] - bytes);
    }
}
