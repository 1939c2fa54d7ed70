// The words that SET, GETEX and MSETEX understand after their fixed arguments. Immutable.
namespace Garnet.Server.Commands.Strings;

/// <summary>Options of the commands that write a string or its expiry; a set of them, as one call may have several.</summary>
[Flags]
internal enum StringOption
{
    None = 0,

    /// <summary>Only when the key does not exist.</summary>
    Nx = 1 << 0,

    /// <summary>Only when the key exists.</summary>
    Xx = 1 << 1,

    /// <summary>Only when the key holds the string that follows.</summary>
    IfEq = 1 << 2,

    /// <summary>Replies with the string that was there before.</summary>
    Get = 1 << 3,

    /// <summary>Keeps the expiry.</summary>
    KeepTtl = 1 << 4,

    /// <summary>Removes the expiry.</summary>
    Persist = 1 << 5,

    /// <summary>Expires in as many seconds.</summary>
    Ex = 1 << 6,

    /// <summary>Expires in as many milliseconds.</summary>
    Px = 1 << 7,

    /// <summary>Expires at a Unix time in seconds.</summary>
    ExAt = 1 << 8,

    /// <summary>Expires at a Unix time in milliseconds.</summary>
    PxAt = 1 << 9,

    /// <summary>Expires so many milliseconds after the last renewal; another expiry beside it is the limit.</summary>
    Sliding = 1 << 10,

    /// <summary>The Unix time in milliseconds of the renewal, in place of now.</summary>
    From = 1 << 11,

    /// <summary>Renews a sliding expiry.</summary>
    Renew = 1 << 12,

    /// <summary>Only renews, without the value.</summary>
    Touch = 1 << 13,

    /// <summary>Any option that gives an expiry.</summary>
    AnyExpiry = Ex | Px | ExAt | PxAt,
}
