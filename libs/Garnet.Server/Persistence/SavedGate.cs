// Writes after a failure of the disk. Stateless.
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Engine.Rules;

namespace Garnet.Server.Persistence;

/// <summary>Refuses writes, and PING, while a snapshot has failed or the append-only log cannot be written.</summary>
internal sealed class SavedGate(ServerPersistence persistence) : Gate(GateMask.Saved)
{
    /// <inheritdoc/>
    public override bool Concerns(in CommandNeeds needs) => needs.Writes || needs.Has(CommandTraits.ReportsWriteDenial);

    /// <inheritdoc/>
    public override GateAnswer Ask(ref CommandContext request) =>
        persistence.WriteRefusal is { Kind: not RefusalKind.None } refusal
        && request.Command.Descriptor.ReadsWhenDenied?.Invoke(in request) != true
            ? refusal
            : default(GateAnswer);
}
