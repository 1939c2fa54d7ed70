// The condition of a SET. A plain value.
namespace Garnet;

/// <summary>The condition of a SET.</summary>
public enum SetCondition
{
    /// <summary>Sets unconditionally.</summary>
    Always,

    /// <summary>NX: only if the key does not exist.</summary>
    IfMissing,

    /// <summary>XX: only if the key exists.</summary>
    IfExists,
}
