// Frees the nodes of released frozen trees and of dropped trees, in small steps. Thread-safe; one thread at a time does the work.
using Garnet.Store.Collections.Lists;

namespace Garnet.Store.Collections.Trees;

/// <summary>
/// A work queue of frozen trees without readers and of dropped nodes. A dead node is passed on to the newest older snapshot that reaches it
/// (the node was born no later than the snapshot was taken), or is freed; a dropped subtree is dismantled node by node. Snapshots in the
/// queue count as alive until their turn, so writers may copy a little more than necessary.
/// </summary>
internal sealed unsafe class TreeReclaimer(NodeHeap heap, OverflowEntries overflow, ListNodeHeap listNodes)
{
    private const nint DeepMark = 1;
    private readonly Lock _working = new();
    private TreeSnapshot* _first;
    private TreeSnapshot* _last;
    private int _queueLatch;
    private long _retiredBytes;
    private long _droppedBytes;
    private long _droppedTrees;
    private long _freedTrees;

    /// <summary>
    /// Bytes of nodes that live trees have replaced and only frozen ones still reach: the current memory cost of freezing. Dropped trees do
    /// not count.
    /// </summary>
    public long RetiredBytes => Volatile.Read(ref _retiredBytes);

    /// <summary>Bytes of trees dropped since the queue was last empty, which are being freed.</summary>
    public long DroppedBytes => Volatile.Read(ref _droppedBytes);

    /// <summary>Number of large collections dropped since the queue was last empty.</summary>
    public long DroppedTrees => Volatile.Read(ref _droppedTrees);

    /// <summary>Number of large collections dropped before that.</summary>
    public long FreedTrees => Volatile.Read(ref _freedTrees);

    /// <summary>Counts a tree whose nodes are about to be enqueued.</summary>
    /// <param name="bytes">Its memory.</param>
    /// <param name="counts">Whether it counts as a large collection.</param>
    public void CountDropped(long bytes, bool counts)
    {
        Interlocked.Add(ref _droppedBytes, bytes);
        if (counts)
            Interlocked.Increment(ref _droppedTrees);
    }

    /// <summary>Enqueues a frozen tree without readers, or a carrier of dropped nodes.</summary>
    public void Enqueue(TreeSnapshot* due)
    {
        due->NextDue = null;
        SpinLatch.Enter(ref _queueLatch);
        if (_first == null)
            _first = due;
        else
            _last->NextDue = due;

        _last = due;
        SpinLatch.Exit(ref _queueLatch);
    }

    /// <summary>Does a bounded amount of work, about <paramref name="budget"/> nodes; true when more remains.</summary>
    public bool Run(int budget)
    {
        lock (_working)
            return RunAlone(budget);
    }

    /// <summary>Like <see cref="Run"/>, but returns at once when another thread is doing the work.</summary>
    public void TryRun(int budget)
    {
        if (_working.TryEnter())
        {
            RunAlone(budget);
            _working.Exit();
        }
    }

    /// <summary>Adds a dead node to a list; deep when its descendants died with it.</summary>
    public static void Push(ref nint list, TreeNode* node, bool isDeep)
    {
        node->Link = list;
        list = (nint)node | (isDeep ? DeepMark : 0);
    }

    /// <summary>Retires a node that the live tree has replaced: passes it to the newest snapshot that reaches it, or frees it.</summary>
    public void Retire(TreeHeader* tree, TreeNode* node)
    {
        int bytes = node->Capacity;
        if (TryPass(tree, node, isDeep: false, long.MaxValue))
            Interlocked.Add(ref _retiredBytes, bytes);
        else
            FreeNode(node);
    }

    /// <summary>Releases a reference to a tree's header; the last one frees it.</summary>
    public void ReleaseHead(TreeHeader* tree)
    {
        SpinLatch.Enter(ref tree->Latch);
        bool isLast = --tree->References == 0;
        SpinLatch.Exit(ref tree->Latch);
        if (isLast)
            heap.Free(tree);
    }

    private bool RunAlone(int budget)
    {
        while (budget > 0)
        {
            SpinLatch.Enter(ref _queueLatch);
            TreeSnapshot* due = _first;
            SpinLatch.Exit(ref _queueLatch);
            if (due == null)
            {
                Interlocked.Exchange(ref _droppedBytes, 0);
                Interlocked.Add(ref _freedTrees, Interlocked.Exchange(ref _droppedTrees, 0));
                return false;
            }

            budget--;
            if (!due->IsDetached)
                Detach(due);

            while (due->Retired != 0 && budget > 0)
                budget -= Process(due);

            if (due->Retired == 0)
                Finish(due);
        }

        return true;
    }

    // The snapshot leaves the tree's list: writers no longer copy for it, and no more retired nodes are passed to it.
    private static void Detach(TreeSnapshot* due)
    {
        TreeHeader* tree = due->Tree;
        SpinLatch.Enter(ref tree->Latch);
        if (due->Newer != null)
            due->Newer->Older = due->Older;
        else
            tree->Newest = due->Older;

        if (due->Older != null)
            due->Older->Newer = due->Newer;

        Volatile.Write(ref tree->SharedThrough, tree->Newest == null ? -1 : tree->Newest->Generation);
        due->IsDetached = true;
        SpinLatch.Exit(ref tree->Latch);
    }

    // Processes one dead node of the list; returns the amount of work it took.
    private int Process(TreeSnapshot* due)
    {
        bool isDeep = (due->Retired & DeepMark) != 0;
        var node = (TreeNode*)(due->Retired & ~DeepMark);
        due->Retired = node->Link;
        if (TryPass(due->Tree, node, isDeep, due->Generation))
            return 1;

        int work = 1;
        if (!isDeep)
            Interlocked.Add(ref _retiredBytes, -node->Capacity);

        if (isDeep && node->Level > 0)
        {
            for (int i = 0; i < node->Count; i++)
                Push(ref due->Retired, InnerNode.Child(node, i), isDeep: true);

            work += node->Count;
        }

        FreeNode(node);
        return work;
    }

    // Snapshots newer than the limit were taken after the node died.
    private static bool TryPass(TreeHeader* tree, TreeNode* node, bool isDeep, long limit)
    {
        SpinLatch.Enter(ref tree->Latch);
        TreeSnapshot* heir = tree->Newest;
        while (heir != null && heir->Generation >= limit)
            heir = heir->Older;

        bool isReached = heir != null && heir->Generation >= node->Birth;
        if (isReached)
            Push(ref heir->Retired, node, isDeep);

        SpinLatch.Exit(ref tree->Latch);
        return isReached;
    }

    private void FreeNode(TreeNode* node)
    {
        if (node->Level == 0)
            LeafNode.ReleaseOutside(overflow, node, 0, node->Count);

        heap.Free(node);
    }

    private void Finish(TreeSnapshot* due)
    {
        SpinLatch.Enter(ref _queueLatch);
        _first = due->NextDue;
        if (_first == null)
            _last = null;

        SpinLatch.Exit(ref _queueLatch);
        TreeHeader* tree = due->Tree;
        if (due->ListNodes != null)
            listNodes.Free(due->ListNodes);

        heap.Free(due);
        ReleaseHead(tree);
    }
}
