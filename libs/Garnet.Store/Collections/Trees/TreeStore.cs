// All trees of a store: their memory, their orders, freezing and dropping. Thread-safe; a live tree is used under its key's latch.
using Garnet.Store.Collections.Lists;
using Garnet.Store.Memory;

namespace Garnet.Store.Collections.Trees;

/// <summary>The counted B+trees that store large collections, in native nodes.</summary>
internal sealed unsafe class TreeStore : IDisposable
{
    /// <summary>Size of the largest nodes.</summary>
    public const int DefaultNodeBytes = 4000;

    // As in Valkey, collections up to this size do not count as lazily freed.
    private const long MaxSmall = 64;

    // Work done by the thread that drops or releases a tree: ten microseconds. So all but large trees are freed at once, and the next one
    // reuses their memory while it is in the cache.
    private const int NodesAtOnce = 128;
    private const int NodesPerRound = 4096;
    private readonly int _nodeBytes;

    // Memory of trees that is not in nodes.
    private readonly NodeOrBlockHeap _beside;
    private IdleLevel _idleSpans;

    public TreeStore(BlockHeap blocks, ulong seed, int nodeBytes = DefaultNodeBytes)
    {
        _nodeBytes = NodeClasses.Round(nodeBytes);
        _beside = new NodeOrBlockHeap(Heap, blocks);
        Overflow = new OverflowEntries(_beside);
        ListNodes = new ListNodeHeap(_beside);
        Reclaimer = new TreeReclaimer(Heap, Overflow, ListNodes);
        Hashes = new CountedTree<HashOrder>(this, new HashOrder(seed));
        Fingerprints = new CountedTree<FingerprintOrder>(this, new FingerprintOrder(seed));
        Scores = new CountedTree<ScoreOrder>(this, default);
        Positions = new CountedTree<PositionOrder>(this, default);
        Ids = new CountedTree<IdOrder>(this, default);
        Groups = new CountedTree<GroupOrder>(this, default);
    }

    /// <summary>Sets and hashes.</summary>
    public CountedTree<HashOrder> Hashes { get; }

    /// <summary>Fingerprints of sorted sets' members, with their scores.</summary>
    public CountedTree<FingerprintOrder> Fingerprints { get; }

    /// <summary>Sorted sets.</summary>
    public CountedTree<ScoreOrder> Scores { get; }

    /// <summary>Lists.</summary>
    public CountedTree<PositionOrder> Positions { get; }

    /// <summary>Streams.</summary>
    public CountedTree<IdOrder> Ids { get; }

    /// <summary>The groups of streams.</summary>
    public CountedTree<GroupOrder> Groups { get; }

    /// <summary>Bytes taken from the system for nodes; entries in blocks are counted with the blocks.</summary>
    public long Bytes => Heap.Bytes;

    /// <summary>Bytes of nodes in use; exact only while no thread allocates or frees.</summary>
    public long LiveBytes => Heap.LiveBytes;

    /// <summary>Bytes of dropped trees whose nodes have not all been freed yet.</summary>
    public long DroppedBytes => Reclaimer.DroppedBytes;

    /// <summary>Bytes of nodes kept only for frozen trees, in addition to the live trees that have replaced them.</summary>
    public long RetiredBytes => Reclaimer.RetiredBytes;

    internal NodeHeap Heap { get; } = new();

    internal OverflowEntries Overflow { get; }

    internal ListNodeHeap ListNodes { get; }

    internal TreeReclaimer Reclaimer { get; }

    /// <summary>An empty tree.</summary>
    public TreeHeader* Create()
    {
        var tree = (TreeHeader*)Heap.Allocate(sizeof(TreeHeader));
        *tree = default;
        tree->SharedThrough = -1;
        tree->References = 1;
        tree->NodeBytes = _nodeBytes;
        tree->Bytes = sizeof(TreeHeader);
        return tree;
    }

    /// <summary>
    /// Drops a live tree in constant time. Its nodes are freed later; those that frozen trees reach are freed when the last of these is
    /// released.
    /// </summary>
    /// <param name="tree">The tree.</param>
    /// <param name="isSecond">Whether it is the second tree of a collection, which is counted only once.</param>
    public void Drop(TreeHeader* tree, bool isSecond = false)
    {
        if (tree->HasListNodes)
            ListNodes.Drop(tree);

        if (tree->Root != null)
        {
            TreeSnapshot* carrier = Carrier(tree);
            Reclaimer.CountDropped(tree->Bytes, counts: !isSecond && tree->Count > MaxSmall);
            TreeReclaimer.Push(ref carrier->Retired, tree->Root, isDeep: true);
            tree->Root = null;
            tree->Count = 0;
            Reclaimer.Enqueue(carrier);
        }

        Reclaimer.ReleaseHead(tree);
        Reclaimer.TryRun(NodesAtOnce);
    }

    /// <summary>
    /// Takes a snapshot of a tree with one reference, in constant time; under the exclusive latch. Until it is released, the first change
    /// of a path copies its nodes. Freezing an unchanged tree again returns the same snapshot.
    /// </summary>
    public TreeSnapshot* TakeSnapshot(TreeHeader* tree)
    {
        SpinLatch.Enter(ref tree->Latch);
        TreeSnapshot* newest = tree->Newest;
        if (newest != null && !tree->IsChanged && newest->References > 0 && IsSame(tree, newest))
        {
            newest->References++;
            SpinLatch.Exit(ref tree->Latch);
            return newest;
        }

        tree->References++;
        SpinLatch.Exit(ref tree->Latch);
        var frozen = (TreeSnapshot*)Heap.Allocate(sizeof(TreeSnapshot));
        *frozen = default;
        frozen->Root = tree->Root;
        frozen->Count = tree->Count;
        frozen->User0 = tree->User0;
        frozen->User1 = tree->User1;
        frozen->User2 = tree->User2;
        frozen->User3 = tree->User3;
        frozen->Generation = tree->Generation++;
        frozen->Tree = tree;
        frozen->References = 1;
        tree->IsChanged = false;
        SpinLatch.Enter(ref tree->Latch);
        frozen->Older = tree->Newest;
        if (frozen->Older != null)
            frozen->Older->Newer = frozen;

        tree->Newest = frozen;
        tree->SharedThrough = frozen->Generation;
        SpinLatch.Exit(ref tree->Latch);
        return frozen;
    }

    /// <summary>Adds a reference to a snapshot on which the caller holds one; callable from any thread.</summary>
    public static void AddReference(TreeSnapshot* frozen)
    {
        TreeHeader* tree = frozen->Tree;
        SpinLatch.Enter(ref tree->Latch);
        frozen->References++;
        SpinLatch.Exit(ref tree->Latch);
    }

    /// <summary>Releases a reference in constant time; callable from any thread, without a latch.</summary>
    public void Release(TreeSnapshot* frozen)
    {
        TreeHeader* tree = frozen->Tree;
        SpinLatch.Enter(ref tree->Latch);
        int left = --frozen->References;
        SpinLatch.Exit(ref tree->Latch);
        if (left < 0)
            Environment.FailFast("A frozen tree was released more often than it was referenced.");

        if (left == 0)
        {
            Reclaimer.Enqueue(frozen);
            Reclaimer.TryRun(NodesAtOnce);
        }
    }

    /// <summary>
    /// Does one round of deferred freeing, outside of latches; true when more remains. While memory is tight no free spans are kept for
    /// reuse.
    /// </summary>
    public bool Maintain(bool isTight = false)
    {
        bool isDue = Reclaimer.Run(NodesPerRound);
        isDue |= Heap.GiveBack(kept: isTight ? 0 : NodeHeap.MaxFreeSpans);
        if (!isTight)
            Heap.Prepare();

        return isDue;
    }

    /// <summary>
    /// Returns free spans to the system that exceeded the need for new nodes for a long time. Called by maintenance, outside of latches.
    /// </summary>
    public void GiveBackIdle(long nowMs)
    {
        long idle = _idleSpans.Note(Heap.SpareSpans, nowMs);
        if (idle > 0)
            Heap.GiveBack(kept: (int)Math.Max(0, Heap.FreeSpans - idle));
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _beside.Dispose();
        Heap.Dispose();
    }

    /// <summary>A carrier that takes a tree's dead nodes to the reclaimer.</summary>
    internal TreeSnapshot* Carrier(TreeHeader* tree)
    {
        var carrier = (TreeSnapshot*)Heap.Allocate(sizeof(TreeSnapshot));
        *carrier = default;
        carrier->Tree = tree;
        carrier->Generation = tree->Generation;
        carrier->IsDetached = true;
        SpinLatch.Enter(ref tree->Latch);
        tree->References++;
        SpinLatch.Exit(ref tree->Latch);
        return carrier;
    }

    private static bool IsSame(TreeHeader* tree, TreeSnapshot* frozen) =>
        tree->User0 == frozen->User0 && tree->User1 == frozen->User1 && tree->User2 == frozen->User2 && tree->User3 == frozen->User3;
}
