// The words that HSETEX and HGETEX understand before FIELDS. Immutable.
namespace Garnet.Server.Commands.Hashes;

/// <summary>Options of the commands that write fields with an expiry; a set of them, as one call may have several.</summary>
[Flags]
internal enum FieldOption
{
    None = 0,

    /// <summary>Only when the key does not exist.</summary>
    Nx = 1 << 0,

    /// <summary>Only when the key exists.</summary>
    Xx = 1 << 1,

    /// <summary>Only when none of the fields exists.</summary>
    Fnx = 1 << 2,

    /// <summary>Only when all of the fields exist.</summary>
    Fxx = 1 << 3,

    /// <summary>Keeps the fields' expiry.</summary>
    KeepTtl = 1 << 4,

    /// <summary>Removes the fields' expiry.</summary>
    Persist = 1 << 5,

    /// <summary>Expire in as many seconds.</summary>
    Ex = 1 << 6,

    /// <summary>Expire in as many milliseconds.</summary>
    Px = 1 << 7,

    /// <summary>Expire at a Unix time in seconds.</summary>
    ExAt = 1 << 8,

    /// <summary>Expire at a Unix time in milliseconds.</summary>
    PxAt = 1 << 9,

    /// <summary>Any option that gives an expiry.</summary>
    AnyExpiry = Ex | Px | ExAt | PxAt,
}
