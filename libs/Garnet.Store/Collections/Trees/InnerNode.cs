// The layout of an inner node: children, the entries below each, separators. Pure functions of one node's bytes.
using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;

namespace Garnet.Store.Collections.Trees;

/// <summary>
/// Behind the header, arrays of as many as the node has slots: addresses of children, entries below each, then the separators' first words,
/// second words, third words. A child's separator is not above the words of its entries and not below those of its left neighbour's; the
/// first child's is without meaning.
/// </summary>
internal static unsafe class InnerNode
{
    private const int FewestSlots = 4;

    /// <summary>Children that a node of so many bytes holds.</summary>
    public static int SlotsOf(int capacity, int words) => (capacity - TreeNode.HeaderBytes) / (16 + (8 * words));

    /// <summary>An empty node for at least so many children.</summary>
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
        Debug.Assert((uint)index < node->Count && node->Level > 0, "No such child.");
        return (TreeNode*)Children(node)[index];
    }

    /// <summary>Entries below each child.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static long* Counts(TreeNode* node) => (long*)((byte*)node + TreeNode.HeaderBytes) + node->Slots;

    /// <summary>One word of all separators.</summary>
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
        {
            Words(node, 0)[index] = separator.First;
        }

        if (words > 1)
        {
            Words(node, 1)[index] = separator.Second;
        }

        if (words > 2)
        {
            Words(node, 2)[index] = separator.Third;
        }
    }

    /// <summary>Entries below a node.</summary>
    public static long Total(TreeNode* node) => Before(node, node->Count);

    /// <summary>Entries below the children before one.</summary>
    public static long Before(TreeNode* node, int index)
    {
        long* counts = Counts(node);
        Vector256<long> sums = Vector256<long>.Zero;
        int i = 0;
        for (; i <= index - Vector256<long>.Count; i += Vector256<long>.Count)
        {
            sums += Vector256.Load(counts + i);
        }

        long total = Vector256.Sum(sums);
        for (; i < index; i++)
        {
            total += counts[i];
        }

        return total;
    }

    /// <summary>The child that has the entry of an index; the last one for indexes behind. The index becomes the child's.</summary>
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
            {
                break;
            }

            left -= sum;
        }

        while (child < last && left >= counts[child])
        {
            left -= counts[child++];
        }

        index = left;
        return child;
    }

    /// <summary>
    /// The last child whose separator's words are below a key's, 0 when there is none; <paramref name="behind"/> is the last whose words
    /// are not above them. Between the two only entries can tell.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int FindWords(TreeNode* node, in TreeWords key, int words, out int behind) =>
        words == 1 ? FindWord(node, key.First, out behind) : FindManyWords(node, key, words, out behind);

    /// <summary>Adds a child at an index; there is room.</summary>
    public static void Insert(TreeNode* node, int index, TreeNode* child, long count, in TreeWords separator, int words)
    {
        Debug.Assert(node->Count < node->Slots && index <= node->Count, "A child is added to a node that has no room.");
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

    /// <summary>Removes children from an index on.</summary>
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

    /// <summary>Adds a run of another node's children at the end; there is room.</summary>
    public static void AppendRun(TreeNode* node, TreeNode* source, int from, int children, int words)
    {
        Debug.Assert(node->Count + children <= node->Slots, "A run of children is added to a node that has no room.");
        for (int array = 0; array < 2 + words; array++)
        {
            Unsafe.CopyBlockUnaligned(Words(node, array - 2) + node->Count, Words(source, array - 2) + from, (uint)(children * 8));
        }

        node->Count += (ushort)children;
    }

    /// <summary>A copy with room for at least so many children, born anew.</summary>
    public static TreeNode* Copy(NodeHeap heap, TreeNode* source, long birth, int children, int words)
    {
        TreeNode* node = Allocate(heap, birth, source->Level, children, words);
        AppendRun(node, source, 0, source->Count, words);
        return node;
    }

    // Separators of trees ordered by hash are spread evenly, so the place is guessed first and then walked to.
    private static int FindWord(TreeNode* node, ulong key, out int behind)
    {
        ulong* separators = Words(node, 0);
        int count = node->Count;
        behind = 0;
        if (count < 2)
        {
            return 0;
        }

        ulong least = separators[1];
        if (key < least)
        {
            return 0;
        }

        ulong most = separators[count - 1];
        int at = count - 1;
        if (key < most)
        {
            at = 1 + (int)Math.Min((ulong)(count - 2), (key - least) / (((most - least) / (ulong)(count - 2)) | 1));
        }

        while (at + 1 < count && separators[at + 1] <= key)
        {
            at++;
        }

        while (separators[at] > key)
        {
            at--;
        }

        behind = at;
        while (at > 0 && separators[at] == key)
        {
            at--;
        }

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
            {
                low = middle;
            }
            else
            {
                high = middle - 1;
            }
        }

        behind = low;
        while (behind + 1 < node->Count && Compare(node, behind + 1, key, words) == 0)
        {
            behind++;
        }

        return low;
    }

    // Most separators differ in their first words, so the others stay untouched.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static int Compare(TreeNode* node, int index, in TreeWords key, int words)
    {
        ulong first = Words(node, 0)[index];
        return first != key.First ? (first < key.First ? -1 : 1) : Separator(node, index, words).CompareTo(key, words);
    }
}
