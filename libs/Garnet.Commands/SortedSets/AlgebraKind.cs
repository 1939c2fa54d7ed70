// The operations of set algebra.
namespace Garnet.Commands.SortedSets;

/// <summary>Which members of several sorted sets the result contains.</summary>
internal enum AlgebraKind
{
    /// <summary>Members of any.</summary>
    Union,

    /// <summary>Members of all.</summary>
    Inter,

    /// <summary>Members of the first that are in no other.</summary>
    Diff,
}
