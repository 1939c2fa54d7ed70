// Members from which a collection is built in one step.
namespace Garnet.Store.Collections.Sets;

/// <summary>Distinct members. They stay in place until the collection is built, and must not be stored in the store.</summary>
internal interface IMemberSource
{
    /// <summary>Number of members.</summary>
    int Count { get; }

    /// <summary>The member at an index.</summary>
    ReadOnlySpan<byte> Member(int index);
}
