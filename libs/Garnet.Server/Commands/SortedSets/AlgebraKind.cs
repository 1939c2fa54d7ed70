// The operations of set algebra.
namespace Garnet.Server.Commands.SortedSets;

/// <summary>Which members of several sorted sets make the result.</summary>
internal enum AlgebraKind
{
    /// <summary>Those in any.</summary>
    Union,

    /// <summary>Those in all.</summary>
    Inter,

    /// <summary>Those in the first and in no other.</summary>
    Diff,
}
