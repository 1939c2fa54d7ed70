// The options of SET, GETEX and MSETEX. Immutable.
namespace Garnet.Commands.Strings;

/// <summary>Options of the commands that write a string or its expiry, as flags.</summary>
[Flags]
internal enum StringOption
{
    None = 0,

    /// <summary>NX: only if the key does not exist.</summary>
    Nx = 1 << 0,

    /// <summary>XX: only if the key exists.</summary>
    Xx = 1 << 1,

    /// <summary>IFEQ: only if the key holds the string that follows.</summary>
    IfEq = 1 << 2,

    /// <summary>GET: replies with the previous string.</summary>
    Get = 1 << 3,

    /// <summary>KEEPTTL: keeps the expiry.</summary>
    KeepTtl = 1 << 4,

    /// <summary>PERSIST: removes the expiry.</summary>
    Persist = 1 << 5,

    /// <summary>EX: expires after a number of seconds.</summary>
    Ex = 1 << 6,

    /// <summary>PX: expires after a number of milliseconds.</summary>
    Px = 1 << 7,

    /// <summary>EXAT: expires at a Unix time in seconds.</summary>
    ExAt = 1 << 8,

    /// <summary>PXAT: expires at a Unix time in milliseconds.</summary>
    PxAt = 1 << 9,

    /// <summary>SLIDING: expires a number of milliseconds after the last renewal; an additional absolute expiry is the limit.</summary>
    Sliding = 1 << 10,

    /// <summary>FROM: Unix time of the renewal in milliseconds, instead of now.</summary>
    From = 1 << 11,

    /// <summary>SLIDING without a time: renews a sliding expiry.</summary>
    Renew = 1 << 12,

    /// <summary>TOUCH: only renews, without returning the value.</summary>
    Touch = 1 << 13,

    /// <summary>The options that set an expiry.</summary>
    AnyExpiry = Ex | Px | ExAt | PxAt,
}
