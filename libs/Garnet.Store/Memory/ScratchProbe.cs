// Observes, in tests, how one thread rents and returns scratch memory. Used by that thread.
namespace Garnet.Store.Memory;

/// <summary>Counts the blocks in use and makes one allocation fail, as if the system were out of memory.</summary>
internal sealed class ScratchProbe
{
    /// <summary>Number of allocations that succeed before one fails.</summary>
    public int Granted { get; set; } = int.MaxValue;

    /// <summary>Blocks rented and not returned yet.</summary>
    public int BlocksInUse { get; private set; }

    /// <summary>Called for each allocation.</summary>
    /// <exception cref="IOException">The granted allocations are used up; of a type that simply ends a connection.</exception>
    public void OnRent()
    {
        if (Granted == 0)
            throw new IOException("The test refuses scratch memory.");
        Granted--;
        BlocksInUse++;
    }

    /// <summary>Called for each block returned.</summary>
    public void OnReturn() => BlocksInUse--;
}
