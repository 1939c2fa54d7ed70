// Gives a server in the test's process a tier. One thread at a time.
using Garnet.Engine.Execution;
using Garnet.Server.Tiering;
using Garnet.Store;
using Garnet.Store.Tiering;

namespace Garnet.Testing;

/// <summary>Values move when the test says so (<see cref="TierSweep.MoveAll"/>), to a disk that is memory.</summary>
internal static class ColdServer
{
    /// <summary>Whether GARNET_COLD_VALUES asks for every value to be on disk before each request of the tests of commands.</summary>
    public static bool IsAsked { get; } = Environment.GetEnvironmentVariable("GARNET_COLD_VALUES") == "1";

    /// <summary>Gives a server that has begun, and has no data yet, a tier whose disk is memory. Its thread does not run.</summary>
    public static MemoryTierDevice Open(HybridLogStore store, ColdValueGate gate, TierOptions? sizes = null)
    {
        MemoryTierDevice device = new();
        ColdTier.Open(store, sizes ?? TierSweep.SmallSizes, device);
        gate.Source = new TierValueSource(store);
        return device;
    }
}
