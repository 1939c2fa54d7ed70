// The conditions of the EXPIRE family, as bits.
namespace Garnet.Commands.Keys;

/// <summary>When an expiry may be set.</summary>
[Flags]
internal enum ExpireConditions
{
    None = 0,

    /// <summary>NX: only when the key has no expiry.</summary>
    IfNone = 1,

    /// <summary>XX: only when the key has an expiry.</summary>
    IfSome = 2,

    /// <summary>GT: only when it is later than the current expiry; no expiry counts as the latest.</summary>
    IfLater = 4,

    /// <summary>LT: only when it is earlier than the current expiry; no expiry counts as the latest.</summary>
    IfEarlier = 8,
}
