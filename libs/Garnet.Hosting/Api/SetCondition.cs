// When a SET sets. A plain value.
namespace Garnet;

/// <summary>The condition of a SET.</summary>
public enum SetCondition
{
    /// <summary>Sets in any case.</summary>
    Always,

    /// <summary>NX: only when there is no such key.</summary>
    IfMissing,

    /// <summary>XX: only when there is such a key.</summary>
    IfExists,
}
