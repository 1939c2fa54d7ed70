// The layout of an inner node: children, the number of entries below each, separators. Pure functions of one node's bytes.
using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;

namespace Garnet.Store.Collections.Trees;

/// <summary>
/// After the header come arrays with one element per slot: addresses of children, numbers of entries below each, then the first, second and
/// third words of the separators. A child's separator is not above the words of its entries and not below those of its left neighbour's
/// entries; the first child's separator is meaningless.
/// </summary>
internal static unsafe class InnerNode
{
    private const int FewestSlots = 4;

    /// <summary>Number of children that fit into a node of a size.</summary>
    public static int SlotsOf(int capacity, int words) => (capacity - TreeNode.HeaderBytes) / (16 + (8 * words));

    /// <summary>An empty node with capacity for at least <paramref name="children"/> children.</summary>
    public static TreeNode* Allocate(NodeHeap heap, long birth, int level, int children, int words)
    {
        int bytes = TreeNode.HeaderBytes + (Math.Max(FewestSlots, children) * (16 + (8 * words)));
        TreeNode* node = TreeNode.Allocate(heap, bytes, birth, level);
        node->Slots = (ushort)SlotsOf(node->Capacity, words);
        return node;
    }

    /// <summary>The children's addresses.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static nint* Children(TreeNode* node) => (nint*)((byte*)node + TreeNode.HeaderBytes);

    /// <summary>A child.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static TreeNode* Child(TreeNode* node, int index)
    {
        Debug.Assert((uint)index < node->Count && node->Level > 0, "Child index out of range.");
        return (TreeNode*)Children(node)[index];
    }

    /// <summary>Number of entries below each child.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static long* Counts(TreeNode* node) => (long*)((byte*)node + TreeNode.HeaderBytes) + node->Slots;

    /// <summary>The n-th words of all separators.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong* Words(TreeNode* node, int word) => (ulong*)((byte*)node + TreeNode.HeaderBytes) + ((2 + word) * node->Slots);

    /// <summary>A child's separator.</summary>
    public static TreeWords Separator(TreeNode* node, int index, int words) =>
        words switch
        {
            0 => default,
            1 => new TreeWords(Words(node, 0)[index]),
            2 => new TreeWords(Words(node, 0)[index], Words(node, 1)[index]),
            _ => new TreeWords(Words(node, 0)[index], Words(node, 1)[index], Words(node, 2)[index]),
        };

    /// <summary>Sets a child's separator.</summary>
    public static void SetSeparator(TreeNode* node, int index, in TreeWords separator, int words)
    {
        if (words > 0)
            Words(node, 0)[index] = separator.First;

        if (words > 1)
            Words(node, 1)[index] = separator.Second;

        if (words > 2)
            Words(node, 2)[index] = separator.Third;
    }

    /// <summary>Number of entries below a node.</summary>
    public static long Total(TreeNode* node) => Before(node, node->Count);

    /// <summary>Number of entries below the children before an index.</summary>
    public static long Before(TreeNode* node, int index)
    {
        long* counts = Counts(node);
        Vector256<long> sums = Vector256<long>.Zero;
        int i = 0;
        for (; i <= index - Vector256<long>.Count; i += Vector256<long>.Count)
            sums += Vector256.Load(counts + i);

        long total = Vector256.Sum(sums);
        for (; i < index; i++)
            total += counts[i];

        return total;
    }

    /// <summary>Finds the child that contains the entry at an index, or the last one for indexes beyond the end. The index becomes relative
    /// to the child.</summary>
    public static int FindIndex(TreeNode* node, ref long index)
    {
        long* counts = Counts(node);
        int last = node->Count - 1;
        int child = 0;
        long left = index;
        for (; child + 4 <= last; child += 4)
        {
            long sum = counts[child] + counts[child + 1] + counts[child + 2] + counts[child + 3];
            if (left < sum)
                break;

            left -= sum;
        }

        while (child < last && left >= counts[child])
            left -= counts[child++];

        index = left;
        return child;
    }

    /// <summary>
    /// The last child whose separator is below a key's words, 0 when there is none; <paramref name="behind"/> is the last whose separator
    /// is not above them. Between the two only the entries decide.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int FindWords(TreeNode* node, in TreeWords key, int words, out int behind) =>
        words == 1 ? FindWord(node, key.First, out behind) : FindManyWords(node, key, words, out behind);

    /// <summary>Inserts a child at an index; there must be a free slot.</summary>
    public static void Insert(TreeNode* node, int index, TreeNode* child, long count, in TreeWords separator, int words)
    {
        Debug.Assert(node->Count < node->Slots && index <= node->Count, "No free slot in the node for a new child.");
        int behind = node->Count - index;
        for (int array = 0; array < 2 + words; array++)
        {
            ulong* at = Words(node, array - 2) + index;
            Buffer.MemoryCopy(at, at + 1, behind * 8L, behind * 8L);
        }

        Children(node)[index] = (nint)child;
        Counts(node)[index] = count;
        SetSeparator(node, index, separator, words);
        node->Count++;
    }

    /// <summary>Removes children starting at an index.</summary>
    public static void Remove(TreeNode* node, int index, int children, int words)
    {
        int behind = node->Count - index - children;
        for (int array = 0; array < 2 + words; array++)
        {
            ulong* at = Words(node, array - 2) + index;
            Buffer.MemoryCopy(at + children, at, behind * 8L, behind * 8L);
        }

        node->Count -= (ushort)children;
    }

    /// <summary>Appends a run of another node's children; there must be enough free slots.</summary>
    public static void AppendRun(TreeNode* node, TreeNode* source, int from, int children, int words)
    {
        Debug.Assert(node->Count + children <= node->Slots, "Not enough free slots in the node for a run of children.");
        for (int array = 0; array < 2 + words; array++)
            Unsafe.CopyBlockUnaligned(Words(node, array - 2) + node->Count, Words(source, array - 2) + from, (uint)(children * 8));

        node->Count += (ushort)children;
    }

    /// <summary>A copy with capacity for at least the given number of children and a new birth generation.</summary>
    public static TreeNode* Copy(NodeHeap heap, TreeNode* source, long birth, int children, int words)
    {
        TreeNode* node = Allocate(heap, birth, source->Level, children, words);
        AppendRun(node, source, 0, source->Count, words);
        return node;
    }

    // Separators of trees ordered by hash are evenly distributed, so the position is estimated first, followed by a linear search.
    private static int FindWord(TreeNode* node, ulong key, out int behind)
    {
        ulong* separators = Words(node, 0);
        int count = node->Count;
        behind = 0;
        if (count < 2)
            return 0;

        ulong least = separators[1];
        if (key < least)
            return 0;

        ulong most = separators[count - 1];
        int at = count - 1;
        if (key < most)
            at = 1 + (int)Math.Min((ulong)(count - 2), (key - least) / (((most - least) / (ulong)(count - 2)) | 1));

        while (at + 1 < count && separators[at + 1] <= key)
            at++;

        while (separators[at] > key)
            at--;

        behind = at;
        while (at > 0 && separators[at] == key)
            at--;

        return at;
    }

    private static int FindManyWords(TreeNode* node, in TreeWords key, int words, out int behind)
    {
        int low = 0;
        int high = node->Count - 1;
        while (low < high)
        {
            int middle = (low + high + 1) >> 1;
            if (Compare(node, middle, key, words) < 0)
                low = middle;
            else
                high = middle - 1;
        }

        behind = low;
        while (behind + 1 < node->Count && Compare(node, behind + 1, key, words) == 0)
            behind++;

        return low;
    }

    // Most separators differ in their first words, so the other words are rarely read.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static int Compare(TreeNode* node, int index, in TreeWords key, int words)
    {
        ulong first = Words(node, 0)[index];
        return first != key.First ? (first < key.First ? -1 : 1) : Separator(node, index, words).CompareTo(key, words);
    }
}
