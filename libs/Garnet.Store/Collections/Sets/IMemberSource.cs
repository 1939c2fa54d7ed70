// Members that are to become a collection at once.
namespace Garnet.Store.Collections.Sets;

/// <summary>Members, each once. They stay where they are until the collection is made, and do not lie in the store.</summary>
public interface IMemberSource
{
    /// <summary>How many there are.</summary>
    int Count { get; }

    /// <summary>A member by its index.</summary>
    ReadOnlySpan<byte> Member(int index);
}
