// Makes random elements of collections the same in every run of a test. For the calling thread.
using Garnet.Store.Collections;

namespace Garnet.Testing;

/// <summary>Gives the thread that executes commands a random generator of a known seed.</summary>
public static class SeededChoice
{
    /// <summary>From here on commands executed on this thread choose elements by this seed.</summary>
    public static void Begin(int seed) => ElementScratch.Current.Random = new Random(seed);
}
