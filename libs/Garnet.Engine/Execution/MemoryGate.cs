// Memory that is being freed. Stateless.
using Garnet.Engine.Requests;
using Garnet.Engine.Rules;
using Garnet.Store.Eviction;

namespace Garnet.Engine.Execution;

/// <summary>
/// Pages have to be freed before more are allocated, unless records that have gone to disk leave as much to this session. If that takes too
/// long, something else is the obstacle, and the command proceeds: it evicts keys, or is refused (<see cref="Executor"/> reserves its memory
/// next).
/// </summary>
internal sealed class MemoryGate(MemoryBudget budget) : Gate(GateMask.Memory)
{
    // Rounds of maintenance: about a second.
    private const int MaxWaits = 1000;

    /// <inheritdoc/>
    public override bool Concerns(in CommandNeeds needs) => needs.Has(CommandFlags.DenyOom);

    /// <inheritdoc/>
    public override GateAnswer Ask(ref CommandContext request)
    {
        ref int waits = ref request.Client.Wait.MemoryWaits;
        if (!request.Origin.MayWait || waits >= MaxWaits || !request.Store.Memory.MustWait(request.ArgumentBytes))
        {
            waits = 0;
            return default;
        }

        waits++;
        return GateAnswer.WaitFor(budget.WaitAsync());
    }
}
