// What may not be removed now is moved like any other value. One thread.
using Garnet.Testing;
using Xunit;

namespace Garnet.Store.Tests.Tiering;

public sealed class HeldRemovalTests
{
    // As on a replica, whose primary may still change what has expired.
    [Fact]
    public void Expired_keys_that_others_decide_about_are_not_removed_for_their_memory()
    {
        using TieredStore tiered = new(maxMemory: 2 << 20, policy: EvictionPolicy.AllKeysLru);
        tiered.Store.Holds.Expired = static () => true;
        tiered.Store.Holds.Evicted = static () => true;
        long expiresAtMs = tiered.Store.Clock.ReadMs() + 1;
        int keys = 0;
        while (tiered.Store.Budget.Excess(0) <= 0)
            tiered.Client.Set($"k{keys++}", new string('v', 1000), expiresAtMs);
        tiered.Time.Advance(1000);
        StoreSession session = tiered.Client.Session;
        for (int i = 0; i < 100; i++)
        {
            session.EnterBatch();
            session.Memory.TryReserve(1000);
            session.LeaveBatch();
            TierSweep.Settle(tiered.Tier);
        }

        Assert.True(tiered.Tier.Statistics.MovedOut > 0);
        Assert.Equal(keys, tiered.Store.Databases.KeyCount(0));
    }
}
