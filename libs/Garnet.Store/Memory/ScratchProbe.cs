// Looks on, in tests, as one thread rents scratch memory and gives it back. Used by that thread.
namespace Garnet.Store.Memory;

/// <summary>Counts the blocks in use and refuses one, as if the system had no memory.</summary>
internal sealed class ScratchProbe
{
    /// <summary>How many blocks are granted before one is refused.</summary>
    public int Granted { get; set; } = int.MaxValue;

    /// <summary>Blocks rented and not yet given back.</summary>
    public int BlocksInUse { get; private set; }

    /// <summary>Notes that a block is wanted.</summary>
    /// <exception cref="IOException">All that was granted has been rented; of a kind that ends a connection without more ado.</exception>
    public void OnRent()
    {
        if (Granted == 0)
            throw new IOException("The test refuses scratch memory.");
        Granted--;
        BlocksInUse++;
    }

    /// <summary>Notes that a block came back.</summary>
    public void OnReturn() => BlocksInUse--;
}
