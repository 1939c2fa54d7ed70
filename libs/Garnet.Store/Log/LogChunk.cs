// A run of a page from which one epoch slot allocates records without contention. Owned by the slot.
namespace Garnet.Store.Log;

/// <summary>
/// The unused rest of a slot's chunk; it always carries the header of a dead record of its size, so that a page can be walked at any time.
/// </summary>
internal struct LogChunk
{
    /// <summary>Address of the next record.</summary>
    public long Address;

    /// <summary>Units of eight bytes left.</summary>
    public int UnitsLeft;
}
