// Makes random choices of collection elements reproducible. For the calling thread.
using Garnet.Store.Collections;

namespace Garnet.Testing;

/// <summary>Seeds the random generator of a thread that executes commands.</summary>
internal static class SeededChoice
{
    /// <summary>From now on, commands executed on this thread choose random elements with this seed.</summary>
    public static void Begin(int seed) => ElementScratch.Current.Random = new Random(seed);
}
