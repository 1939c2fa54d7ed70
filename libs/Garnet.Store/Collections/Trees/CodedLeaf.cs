// The layout of a leaf of element codes, used by lists. Pure functions of one node's bytes.
using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Garnet.Store.Collections.Trees;

/// <summary>
/// Element codes contain their length, so one offset per run of up to 32 entries suffices: a list takes hardly more memory than its
/// elements. After the header: a count per run, a 16-bit offset per run, then a gap, the entries, a gap. Entries can be added and removed
/// at both ends without moving the others. An external entry is stored as the byte 255 and its address.
/// </summary>
internal static unsafe class CodedLeaf
{
    /// <summary>The first byte of a reference to an external entry; no element code starts with it.</summary>
    public const byte OutsideTag = 255;

    private const int MaxInRun = 32;
    private const int UsualInRun = 24;
    private const int FewestPerSlot = 16;

    /// <summary>Directory slots for a number of entries, enough for any division into runs.</summary>
    public static int SlotsFor(int entries) => ((entries / FewestPerSlot) + 3) & ~1;

    /// <summary>Total size of the entries.</summary>
    public static int DataBytes(TreeNode* leaf) => leaf->Count == 0 ? 0 : leaf->End - Offsets(leaf)[0];

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool HasSpace(TreeNode* leaf, int bytes) =>
        leaf->Count < leaf->Slots * FewestPerSlot
        && (leaf->End + bytes <= leaf->Capacity || (leaf->Count != 0 && Offsets(leaf)[0] - bytes >= DataStart(leaf)));

    /// <summary>Offset of an entry in the node; the end of the entries for the index after the last.</summary>
    public static int Locate(TreeNode* leaf, int index) => Locate(leaf, index, out _);

    /// <summary>The entry at an offset returned by <see cref="Locate(TreeNode*, int)"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ReadOnlySpan<byte> EntryAt(TreeNode* leaf, int offset)
    {
        byte* entry = (byte*)leaf + offset;
        return *entry == OutsideTag ? OverflowEntry.Bytes(OutsideAt(entry)) : new ReadOnlySpan<byte>(entry, ElementBytes.CodeLength(entry));
    }

    /// <summary>Offset of the entry after the one at an offset.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int Next(TreeNode* leaf, int offset) => offset + ElementBytes.CodeLength((byte*)leaf + offset);

    /// <summary>Number of entries, out of a range, before the first with a given code; the size of the range when there is none.</summary>
    public static int CountUntil(TreeNode* leaf, int index, int most, ReadOnlySpan<byte> code)
    {
        if (most == 0)
            return 0;

        byte* entry = (byte*)leaf + Locate(leaf, index);
        int tag = code[0];
        bool isShortText = tag is >= sizeof(ulong) and < ElementCode.FirstSmallInteger;
        ulong tail = isShortText ? MemoryMarshal.Read<ulong>(code[^sizeof(ulong)..]) : 0;
        bool hasOutside = (leaf->Flags & TreeNode.HasOutside) != 0;
        for (int passed = 0; passed < most; passed++)
        {
            int length = ElementBytes.CodeLength(entry);

            // Texts of the same length often differ only at their ends, so those are compared first, as one word.
            if (
                isShortText
                    ? *entry == tag
                        && Unsafe.ReadUnaligned<ulong>(entry + length - sizeof(ulong)) == tail
                        && new ReadOnlySpan<byte>(entry, length).SequenceEqual(code)
                    : IsEntry(entry, length, code, hasOutside)
            )
            {
                return passed;
            }

            entry += length;
        }

        return most;
    }

    public static bool IsOutside(TreeNode* leaf, int index) => *((byte*)leaf + Locate(leaf, index)) == OutsideTag;

    public static OverflowEntry* Outside(TreeNode* leaf, int index) => OutsideAt((byte*)leaf + Locate(leaf, index));

    public static int StoredBytes(TreeNode* leaf, int index) => ElementBytes.CodeLength((byte*)leaf + Locate(leaf, index));

    public static void Insert(TreeNode* leaf, int index, ReadOnlySpan<byte> stored)
    {
        Debug.Assert(HasSpace(leaf, stored.Length) && index <= leaf->Count, "No space in the leaf for a new entry.");
        ushort* offsets = Offsets(leaf);
        int length = stored.Length;
        if (leaf->Count == 0)
        {
            Runs(leaf) = 0;
            leaf->End = leaf->End + length <= leaf->Capacity ? leaf->End : (ushort)DataStart(leaf);
            AddRun(leaf, 0, leaf->End, 0);
        }

        int at = Locate(leaf, index, out int run);
        bool isTail = leaf->End + length <= leaf->Capacity && (index * 2 >= leaf->Count || offsets[0] - length < DataStart(leaf));
        byte* place = (byte*)leaf + at;
        if (isTail)
        {
            Buffer.MemoryCopy(place, place + length, leaf->End - at, leaf->End - at);
            leaf->End += (ushort)length;
            Shift(leaf, run + 1, Runs(leaf), length);
        }
        else
        {
            byte* front = (byte*)leaf + offsets[0];
            Buffer.MemoryCopy(front, front - length, at - offsets[0], at - offsets[0]);
            place -= length;
            Shift(leaf, 0, run + 1, -length);
        }

        stored.CopyTo(new Span<byte>(place, length));
        leaf->Flags |= stored[0] == OutsideTag ? (byte)TreeNode.HasOutside : (byte)0;
        leaf->Count++;
        Counts(leaf)[run]++;
        if (Counts(leaf)[run] > UsualInRun)
            DivideRun(leaf, run, index);
    }

    public static void Remove(TreeNode* leaf, int index, int entries)
    {
        int from = Locate(leaf, index);
        int to = from;
        for (int i = 0; i < entries; i++)
            to = Next(leaf, to);

        int difference = 0;
        int rest = from;
        if (index == 0)
        {
            rest = to;
        }
        else
        {
            Buffer.MemoryCopy((byte*)leaf + to, (byte*)leaf + from, leaf->End - to, leaf->End - to);
            difference = to - from;
            leaf->End -= (ushort)difference;
        }

        byte* counts = Counts(leaf);
        ushort* offsets = Offsets(leaf);
        int runs = 0;
        int begin = 0;
        for (int run = 0; run < Runs(leaf); run++)
        {
            int count = counts[run];
            int removed = Math.Max(0, Math.Min(begin + count, index + entries) - Math.Max(begin, index));
            if (removed < count)
            {
                int offset =
                    begin >= index + entries ? offsets[run] - difference
                    : begin < index ? offsets[run]
                    : rest;
                counts[runs] = (byte)(count - removed);
                offsets[runs++] = (ushort)offset;
            }

            begin += count;
        }

        Runs(leaf) = (ushort)runs;
        leaf->Count -= (ushort)entries;
        if (leaf->Count == 0)
            leaf->End = (ushort)DataStart(leaf);
    }

    public static void Replace(TreeNode* leaf, int index, ReadOnlySpan<byte> stored)
    {
        int at = Locate(leaf, index, out int run);
        int end = Next(leaf, at);
        int difference = stored.Length - (end - at);
        byte* rest = (byte*)leaf + end;
        Buffer.MemoryCopy(rest, rest + difference, leaf->End - end, leaf->End - end);
        Shift(leaf, run + 1, Runs(leaf), difference);
        leaf->End = (ushort)(leaf->End + difference);
        stored.CopyTo(new Span<byte>((byte*)leaf + at, stored.Length));
        leaf->Flags |= stored[0] == OutsideTag ? (byte)TreeNode.HasOutside : (byte)0;
    }

    public static void AppendRun(TreeNode* leaf, TreeNode* source, int from, int entries, bool isShared)
    {
        int start = Locate(source, from);
        int end = from + entries == source->Count ? source->End : Locate(source, from + entries);
        int target = leaf->End;
        Debug.Assert(
            leaf->Count + entries <= leaf->Slots * FewestPerSlot && target + end - start <= leaf->Capacity,
            "No space in the leaf for a run of entries."
        );
        Unsafe.CopyBlockUnaligned((byte*)leaf + target, (byte*)source + start, (uint)(end - start));
        leaf->End += (ushort)(end - start);
        leaf->Count += (ushort)entries;
        if (leaf->Count == entries && entries == source->Count && Runs(source) <= leaf->Slots)
        {
            Unsafe.CopyBlockUnaligned(Counts(leaf), Counts(source), Runs(source));
            Unsafe.CopyBlockUnaligned(Offsets(leaf), Offsets(source), Runs(source) * 2u);
            Runs(leaf) = Runs(source);
            Shift(leaf, 0, Runs(leaf), target - start);
        }
        else
        {
            Renew(leaf, leaf->Count == entries ? target : Offsets(leaf)[0]);
        }

        if ((source->Flags & TreeNode.HasOutside) == 0)
            return;

        leaf->Flags |= TreeNode.HasOutside;
        for (int offset = target; isShared && offset < leaf->End; offset = Next(leaf, offset))
        {
            if (*((byte*)leaf + offset) == OutsideTag)
                OverflowEntry.AddReference(OutsideAt((byte*)leaf + offset));
        }
    }

    public static void ReleaseOutside(OverflowEntries overflow, TreeNode* leaf, int from, int entries)
    {
        for (int offset = Locate(leaf, from); entries > 0; entries--)
        {
            if (*((byte*)leaf + offset) == OutsideTag)
                overflow.Release(OutsideAt((byte*)leaf + offset));

            offset = Next(leaf, offset);
        }
    }

    /// <summary>The entry to split at: about half of the bytes are before it, in <paramref name="before"/>.</summary>
    public static int Middle(TreeNode* leaf, out int before)
    {
        int half = DataBytes(leaf) / 2;
        int first = Offsets(leaf)[0];
        int index = 0;
        int run = 0;
        while (run + 1 < Runs(leaf) && Offsets(leaf)[run + 1] - first <= half)
            index += Counts(leaf)[run++];

        if (index == 0)
            index = Math.Min(leaf->Count - 1, (Counts(leaf)[0] + 1) / 2);

        before = Locate(leaf, index) - first;
        return index;
    }

    /// <summary>Moves the entries to the end of the node, so that others can be inserted before them.</summary>
    public static void MoveToEnd(TreeNode* leaf)
    {
        int difference = leaf->Capacity - leaf->End;
        byte* data = (byte*)leaf + Offsets(leaf)[0];
        Buffer.MemoryCopy(data, data + difference, DataBytes(leaf), DataBytes(leaf));
        Shift(leaf, 0, Runs(leaf), difference);
        leaf->End = (ushort)leaf->Capacity;
    }

    public static int DataStart(TreeNode* leaf) => TreeNode.HeaderBytes + (leaf->Slots * 3);

    private static bool IsEntry(byte* entry, int length, ReadOnlySpan<byte> code, bool hasOutside) =>
        hasOutside && *entry == OutsideTag
            ? OverflowEntry.Bytes(OutsideAt(entry)).SequenceEqual(code)
            : *entry == code[0] && new ReadOnlySpan<byte>(entry, length).SequenceEqual(code);

    private static OverflowEntry* OutsideAt(byte* entry) => (OverflowEntry*)Unsafe.ReadUnaligned<nint>(entry + 1);

    private static byte* Counts(TreeNode* leaf) => (byte*)leaf + TreeNode.HeaderBytes;

    private static ushort* Offsets(TreeNode* leaf) => (ushort*)((byte*)leaf + TreeNode.HeaderBytes + leaf->Slots);

    // Coded leaves have no tags, so the field for their lowest hash is reused.
    private static ref ushort Runs(TreeNode* leaf) => ref *(ushort*)&leaf->Low;

    private static int Locate(TreeNode* leaf, int index, out int run)
    {
        byte* counts = Counts(leaf);
        run = 0;
        if (index >= leaf->Count)
        {
            run = Math.Max(0, Runs(leaf) - 1);
            return leaf->End;
        }

        while (index >= counts[run])
            index -= counts[run++];

        int offset = Offsets(leaf)[run];
        for (; index > 0; index--)
            offset = Next(leaf, offset);

        return offset;
    }

    private static void Shift(TreeNode* leaf, int from, int to, int difference)
    {
        ushort* offsets = Offsets(leaf);
        for (int run = from; run < to; run++)
            offsets[run] = (ushort)(offsets[run] + difference);
    }

    private static void AddRun(TreeNode* leaf, int run, int offset, int count)
    {
        byte* counts = Counts(leaf);
        ushort* offsets = Offsets(leaf);
        for (int i = Runs(leaf); i > run; i--)
        {
            counts[i] = counts[i - 1];
            offsets[i] = offsets[i - 1];
        }

        counts[run] = (byte)count;
        offsets[run] = (ushort)offset;
        Runs(leaf)++;
    }

    // A run has reached the usual number of entries: at the ends the new entry starts another run, elsewhere a run that has become long is
    // split in half.
    private static void DivideRun(TreeNode* leaf, int run, int index)
    {
        int count = Counts(leaf)[run];
        bool isLast = index == leaf->Count - 1;
        if (!isLast && index != 0 && count <= MaxInRun)
            return;

        if (Runs(leaf) == leaf->Slots)
        {
            if (count > MaxInRun)
                Renew(leaf, Offsets(leaf)[0]);

            return;
        }

        int first =
            isLast ? count - 1
            : index == 0 ? 1
            : count / 2;
        int offset = Offsets(leaf)[run];
        for (int i = 0; i < first; i++)
            offset = Next(leaf, offset);

        Counts(leaf)[run] = (byte)first;
        AddRun(leaf, run + 1, offset, count - first);
    }

    // Rebuilds the directory.
    private static void Renew(TreeNode* leaf, int start)
    {
        Runs(leaf) = 0;
        int offset = start;
        for (int left = leaf->Count; left > 0; )
        {
            int count = Math.Min(left, UsualInRun);
            AddRun(leaf, Runs(leaf), offset, count);
            for (int i = 0; i < count; i++)
                offset = Next(leaf, offset);

            left -= count;
        }
    }
}
