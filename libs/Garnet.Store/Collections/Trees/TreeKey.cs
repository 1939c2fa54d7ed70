// A search key of a tree. Lives on the stack.
namespace Garnet.Store.Collections.Trees;

/// <summary>A key as its order interprets it: a hash and a member; a score and a member; the two halves of an ID.</summary>
internal readonly ref struct TreeKey(ulong high, ulong low, ReadOnlySpan<byte> bytes)
{
    /// <summary>Compared first.</summary>
    public readonly ulong High = high;

    /// <summary>Compared second.</summary>
    public readonly ulong Low = low;

    /// <summary>Compared last.</summary>
    public readonly ReadOnlySpan<byte> Bytes = bytes;
}
