// The root and count of a tree, live or frozen, for reading. Immutable; invalid after the next change of a live tree.
namespace Garnet.Store.Collections.Trees;

/// <summary>A tree to read.</summary>
internal readonly unsafe struct TreeView
{
    public TreeView(TreeHeader* tree)
    {
        Root = tree->Root;
        Count = tree->Count;
    }

    public TreeView(TreeSnapshot* tree)
    {
        Root = tree->Root;
        Count = tree->Count;
    }

    /// <summary>The root; null when the tree is empty.</summary>
    public TreeNode* Root { get; }

    /// <summary>Number of entries.</summary>
    public long Count { get; }
}
