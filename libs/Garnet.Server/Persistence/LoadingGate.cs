// Commands while data is being loaded. Stateless.
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Engine.Rules;

namespace Garnet.Server.Persistence;

/// <summary>Refuses most commands during a load; while a replica loads beside its data, that is served.</summary>
internal sealed class LoadingGate(ServerPersistence persistence) : Gate(GateMask.Loading)
{
    /// <inheritdoc/>
    public override bool Concerns(in CommandNeeds needs) => !needs.Has(CommandFlags.Loading) || needs.Has(CommandFlags.NoAsyncLoading);

    /// <inheritdoc/>
    public override GateAnswer Ask(ref CommandContext request)
    {
        if (persistence.Loading is not { } loading)
            return default;
        bool isRefused = loading.IsAsync
            ? (request.EffectiveFlags & CommandFlags.NoAsyncLoading) != 0
            : (request.EffectiveFlags & CommandFlags.Loading) == 0;
        return isRefused ? RefusalKind.Loading : default(GateAnswer);
    }
}
