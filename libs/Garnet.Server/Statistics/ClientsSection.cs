// INFO clients. Stateless; any thread.
using Garnet.Server.Sessions;

namespace Garnet.Server.Statistics;

/// <summary>Connected clients, and whether clients are paused.</summary>
internal static class ClientsSection
{
    public static void Write(InfoText text, RespServer server)
    {
        long largestInput = 0,
            largestOutput = 0,
            blocked = 0,
            timed = 0,
            subscribed = 0,
            watching = 0,
            watchedKeys = 0;
        foreach (ClientSession client in server.Clients.Connected)
        {
            largestInput = Math.Max(largestInput, client.Input.Bytes);
            largestOutput = Math.Max(largestOutput, client.Connection.UnsentBytes);
            blocked += client.Wait.IsBlocked ? 1 : 0;
            timed += client.Wait.IsBlocked && client.Wait.Reply is { HasTimeout: true } ? 1 : 0;
            subscribed += client.Output.Class == OutputClass.PubSub ? 1 : 0;
            watching += client.Transactions.Watched is { Count: > 0 } ? 1 : 0;
            watchedKeys += client.Transactions.Watched?.Count ?? 0;
        }

        long pausedMs = server.Clients.Pause.RemainingMs(server.Clock.Time.GetUtcNow().ToUnixTimeMilliseconds(), out bool onlyWrites);
        text.Field("connected_clients", server.Clients.Count);
        text.Field("maxclients", server.Configuration.Current.MaxClients);
        text.Field("client_recent_max_input_buffer", largestInput);
        text.Field("client_recent_max_output_buffer", largestOutput);
        text.Field("blocked_clients", blocked);
        text.Field("tracking_clients", server.Tracking.ClientCount);
        text.Field("pubsub_clients", subscribed);
        text.Field("watching_clients", watching);
        text.Field("clients_in_timeout_table", timed);
        // Different keys, as in Valkey. The store also counts those of clients whose transaction has failed already, which Valkey does not.
        text.Field("total_watched_keys", Math.Min(watchedKeys, server.Store.Watches.TransactionKeys));
        text.Field("total_blocking_keys", server.Blocked.KeyCount);
        text.Field("total_blocking_keys_on_nokey", server.Blocked.KeysWithWaitersForEnd);
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
