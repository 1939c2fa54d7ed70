// The bytes that may occur in an RDB file in place of a key's type. Frozen by the format.
namespace Garnet.Persistence.Rdb;

/// <summary>Items of an RDB file other than keys.</summary>
internal static class RdbOpcode
{
    /// <summary>The lowest opcode; types are below it.</summary>
    public const byte Lowest = SlotImport;

    /// <summary>Valkey 9: slots under import; job name, ranges.</summary>
    public const byte SlotImport = 243;

    /// <summary>Sizes of a slot; three lengths, may be ignored.</summary>
    public const byte SlotInfo = 244;

    /// <summary>A function library; one string.</summary>
    public const byte Function = 245;

    /// <summary>A function library in the format of Redis 7.0's release candidates.</summary>
    public const byte OldFunction = 246;

    /// <summary>Module data that belongs to no key.</summary>
    public const byte ModuleAux = 247;

    /// <summary>Seconds since the next key was used; a length.</summary>
    public const byte Idle = 248;

    /// <summary>Access frequency of the next key; a byte.</summary>
    public const byte Frequency = 249;

    /// <summary>A named property of the file; two strings.</summary>
    public const byte Aux = 250;

    /// <summary>Keys and expiring keys that follow; two lengths.</summary>
    public const byte Resize = 251;

    /// <summary>The next key's expiry; Unix milliseconds, 8 bytes little endian.</summary>
    public const byte ExpiryMs = 252;

    /// <summary>The next key's expiry; Unix seconds, 4 bytes little endian.</summary>
    public const byte ExpirySeconds = 253;

    /// <summary>The logical database of the keys that follow; a length.</summary>
    public const byte Select = 254;

    /// <summary>The end; since version 5 a checksum follows.</summary>
    public const byte End = 255;
}
