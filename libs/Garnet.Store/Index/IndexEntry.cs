// An entry of the index: 48 bits of address below the 16 high bits of the hash; 0 is empty. Pure functions.
namespace Garnet.Store.Index;

/// <summary>Makes entries and takes them apart.</summary>
internal static class IndexEntry
{
    /// <summary>The part of a salted hash that an entry holds.</summary>
    public static uint TagOf(ulong hash) => (uint)(hash >> 48);

    /// <summary>The entry of a record.</summary>
    public static long Of(ulong hash, long address) => (long)(hash & 0xFFFF_0000_0000_0000) | address;

    /// <summary>The address of an entry's record.</summary>
    public static long AddressOf(long entry) => entry & 0xFFFF_FFFF_FFFF;
}
