// What keeps commands of a server from running, as bits of one word. Thread-safe.
namespace Garnet.Store;

/// <summary>
/// One word that is read before every command; while it is zero, nothing in the state of the server concerns any command. The bits are the
/// server's; the store sets two of them itself. A bit may be set without need, never be cleared without right: it is set before the state
/// changes that it stands for, and cleared after.
/// </summary>
internal sealed class Conditions
{
    private uint _raised;

    /// <summary>The bits that are set.</summary>
    public uint Raised => Volatile.Read(ref _raised);

    /// <summary>The bit that is set while more memory is taken from the system than the limit allows.</summary>
    public uint Memory { get; private set; } = 1 << 29;

    /// <summary>The bit that is set while there is a snapshot, whose space for old images may run out.</summary>
    public uint Snapshot { get; private set; } = 1 << 30;

    /// <summary>
    /// Assigns the store's two bits among the server's. Before the first snapshot; memory is looked at again within moments.
    /// </summary>
    public void AssignBits(uint memory, uint snapshot)
    {
        if ((Raised & Snapshot) != 0)
            throw new InvalidOperationException("There is a snapshot.");
        Memory = memory;
        Snapshot = snapshot;
    }

    /// <summary>Sets or clears bits; a full fence in either case.</summary>
    public void Set(uint bits, bool areRaised)
    {
        if (areRaised)
            Interlocked.Or(ref _raised, bits);
        else
            Interlocked.And(ref _raised, ~bits);
    }
}
