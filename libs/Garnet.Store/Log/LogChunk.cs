// A run of a page from which one epoch slot allocates records without contention. Owned by the slot.
namespace Garnet.Store.Log;

/// <summary>
/// The unused rest of a slot's chunk. It always has the header of a dead record of its size, so that the page can be walked at any time.
/// </summary>
internal struct LogChunk
{
    /// <summary>Size of a chunk in units of eight bytes.</summary>
    public const int Units = 2048;

    /// <summary>The largest record that is taken from a chunk, in the same units.</summary>
    public const int LargestRecord = 512;

    /// <summary>Address of the next record.</summary>
    public long Address;

    /// <summary>Remaining size in units of eight bytes.</summary>
    public int UnitsLeft;
}
