// An entry of the index: 46 bits of address and two of state below the 16 high bits of the hash; 0 is empty. Pure functions.
namespace Garnet.Store.Index;

/// <summary>Makes entries and takes them apart.</summary>
internal static class IndexEntry
{
    /// <summary>The bit of an entry whose record's value is on disk, or on its way there.</summary>
    public const long Cold = 1L << 47;

    // Addresses take 46 bits: page numbers of 24, and 22 for the units of the largest page.
    private const long AddressMask = (1L << 46) - 1;

    /// <summary>The part of a salted hash that an entry holds.</summary>
    public static uint TagOf(ulong hash) => (uint)(hash >> 48);

    /// <summary>The entry of a record whose value is in memory; of the hash, the high 16 bits count.</summary>
    public static long Of(ulong hash, long address) => (long)(hash & 0xFFFF_0000_0000_0000) | address;

    /// <summary>The address of an entry's record.</summary>
    public static long AddressOf(long entry) => entry & AddressMask;

    /// <summary>Whether the value is on disk, or on its way there.</summary>
    public static bool IsCold(long entry) => (entry & Cold) != 0;
}
