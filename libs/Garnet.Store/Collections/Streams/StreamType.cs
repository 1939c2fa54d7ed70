// The row of streams in the table of types. Immutable; any thread.
using Garnet.Store.Collections.Trees;
using Garnet.Store.DataTypes;

namespace Garnet.Store.Collections.Streams;

/// <summary>Streams: a tree by entry ID, and a second one for the groups.</summary>
internal sealed class StreamType() : CollectionType(RecordType.Stream, "stream", 6)
{
    public override ReadOnlySpan<byte> EncodingOf(scoped ReadOnlySpan<byte> value) => "stream"u8;

    // The tree holds nodes of several entries, and facts about the stream.
    public override unsafe long CountOf(scoped ReadOnlySpan<byte> value) => PackedForm.IsTree(value) ? PackedForm.TreeOf(value)->User2 : 0;

    internal override unsafe void CopyTree(TreeStore trees, TreeHeader* source, TreeHeader* target, bool isSecond)
    {
        if (isSecond)
            trees.Groups.Copy(source, target);
        else
            trees.Ids.Copy(source, target);
    }
}
