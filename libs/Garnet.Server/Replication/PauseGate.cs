// CLIENT PAUSE, and the pause of a failover. Stateless.
using Garnet.Engine.Clients;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Engine.Rules;

namespace Garnet.Server.Replication;

/// <summary>Delays commands until the pause ends; as in Valkey also those that are to be queued.</summary>
internal sealed class PauseGate(ClientPause pause, ServerReplication replication, ServerClock clock) : Gate(GateMask.Pause)
{
    /// <inheritdoc/>
    public override bool Concerns(in CommandNeeds needs) => true;

    /// <inheritdoc/>
    public override GateAnswer Ask(ref CommandContext request)
    {
        ClientSession client = request.Client;
        if (client.Store.Barrier.IsGuest)
            return default;
        CommandFlags flags = request.EffectiveFlags;
        if (replication.Primary?.WaitsForFailover(client, flags) == true)
            flags |= CommandFlags.Write;
        return GateAnswer.WaitFor(
            pause.WaitFor(
                flags,
                clock.Time.GetUtcNow().ToUnixTimeMilliseconds(),
                clock.Time,
                client.Session?.Disconnected ?? client.Connection.Closed
            )
        );
    }
}
