// What a tree is searched by. Lives on the stack.
namespace Garnet.Store.Collections.Trees;

/// <summary>A key as its order understands it: a hash and a member; a score and a member; the two halves of an ID.</summary>
internal readonly ref struct TreeKey(ulong high, ulong low, ReadOnlySpan<byte> bytes)
{
    /// <summary>What is compared first.</summary>
    public readonly ulong High = high;

    /// <summary>What is compared next.</summary>
    public readonly ulong Low = low;

    /// <summary>What is compared last.</summary>
    public readonly ReadOnlySpan<byte> Bytes = bytes;
}
