// The options of HSETEX and HGETEX before FIELDS. Immutable.
namespace Garnet.Commands.Hashes;

/// <summary>Options of the commands that write fields with an expiry, as flags.</summary>
[Flags]
internal enum FieldOption
{
    None = 0,

    /// <summary>NX: only if the key does not exist.</summary>
    Nx = 1 << 0,

    /// <summary>XX: only if the key exists.</summary>
    Xx = 1 << 1,

    /// <summary>FNX: only if none of the fields exists.</summary>
    Fnx = 1 << 2,

    /// <summary>FXX: only if all of the fields exist.</summary>
    Fxx = 1 << 3,

    /// <summary>KEEPTTL: keeps the expiry of the fields.</summary>
    KeepTtl = 1 << 4,

    /// <summary>PERSIST: removes the expiry of the fields.</summary>
    Persist = 1 << 5,

    /// <summary>EX: expires after a number of seconds.</summary>
    Ex = 1 << 6,

    /// <summary>PX: expires after a number of milliseconds.</summary>
    Px = 1 << 7,

    /// <summary>EXAT: expires at a Unix time in seconds.</summary>
    ExAt = 1 << 8,

    /// <summary>PXAT: expires at a Unix time in milliseconds.</summary>
    PxAt = 1 << 9,

    /// <summary>The options that set an expiry.</summary>
    AnyExpiry = Ex | Px | ExAt | PxAt,
}
