// A member of one set on its way through look-ups in others. Lives on the stack; invalid after the next change of its set.
using Garnet.Store.Collections.Trees;

namespace Garnet.Store.Collections.Sets;

/// <summary>A member; if it comes from a tree, with its key in all trees of the store, which is determined only once.</summary>
internal readonly ref struct SetMember
{
    private readonly ulong _hash;
    private readonly ReadOnlySpan<byte> _code;

    internal SetMember(PackedElement element) => Element = element;

    internal SetMember(PackedElement element, TreeStore trees, ReadOnlySpan<byte> code)
    {
        Element = element;
        _code = code;
        _hash = trees.Hashes.Order.KeyOf(code).High;
    }

    /// <summary>The member as it is stored.</summary>
    internal PackedElement Element { get; }

    internal bool HasKey => !_code.IsEmpty;

    internal TreeKey Key => new(_hash, 0, _code);
}
