// INFO clients. Any thread.
using Garnet.Engine.Clients;
using Garnet.Engine.Execution;
using Garnet.Server.Basics;
using Garnet.Server.Configuration;
using Garnet.Server.Tracking;
using Garnet.Store;

namespace Garnet.Server.Statistics;

/// <summary>Connected clients, and whether clients are paused.</summary>
internal sealed class ClientsSection(
    ClientRegistry clients,
    ServerClock clock,
    ServerConfiguration configuration,
    KeyTracking tracking,
    HybridLogStore store,
    BlockedClients blockedClients
) : InfoSection("clients", "Clients", isDefault: true)
{
    /// <inheritdoc/>
    public override void Write(InfoText text, CounterTotals totals)
    {
        long largestInput = 0,
            largestOutput = 0,
            blocked = 0,
            timed = 0,
            subscribed = 0,
            watching = 0,
            watchedKeys = 0;
        foreach (ClientSession client in clients.Connected)
        {
            largestInput = Math.Max(largestInput, client.Input.Bytes);
            largestOutput = Math.Max(largestOutput, client.Connection.UnsentBytes);
            blocked += client.Wait.IsBlocked ? 1 : 0;
            timed += client.Wait.IsBlocked && client.Wait.Reply is { HasTimeout: true } ? 1 : 0;
            subscribed += client.Output.Class == OutputClass.PubSub ? 1 : 0;
            watching += client.Transactions.Watched is { Count: > 0 } ? 1 : 0;
            watchedKeys += client.Transactions.Watched?.Count ?? 0;
        }

        long pausedMs = clients.Pause.RemainingMs(clock.Time.GetUtcNow().ToUnixTimeMilliseconds(), out bool onlyWrites);
        text.Field("connected_clients", clients.Count);
        text.Field("maxclients", configuration.Current.MaxClients);
        text.Field("client_recent_max_input_buffer", largestInput);
        text.Field("client_recent_max_output_buffer", largestOutput);
        text.Field("blocked_clients", blocked);
        text.Field("tracking_clients", tracking.ClientCount);
        text.Field("pubsub_clients", subscribed);
        text.Field("watching_clients", watching);
        text.Field("clients_in_timeout_table", timed);
        // Different keys, as in Valkey. The store also counts those of clients whose transaction has failed already, which Valkey does not.
        text.Field("total_watched_keys", Math.Min(watchedKeys, store.Watches.TransactionKeys));
        text.Field("total_blocking_keys", blockedClients.KeyCount);
        text.Field("total_blocking_keys_on_nokey", blockedClients.KeysWithWaitersForEnd);
        text.Field("paused_reason", pausedMs > 0 ? "client_pause" : "none");
        text.Field(
            "paused_actions",
            pausedMs == 0 ? "none"
                : onlyWrites ? "write"
                : "all"
        );
        text.Field("paused_timeout_milliseconds", pausedMs);
    }
}
