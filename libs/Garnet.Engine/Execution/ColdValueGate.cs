// Values that are not in memory. Thread-safe.
using Garnet.Engine.Requests;
using Garnet.Engine.Rules;

namespace Garnet.Engine.Execution;

/// <summary>Waits until the values of a command's keys are in memory.</summary>
internal sealed class ColdValueGate(Store.Conditions conditions) : Gate(GateMask.ColdValue)
{
    private IValueSource? _source;

    /// <summary>Loads values; null when all of them are in memory.</summary>
    public IValueSource? Source
    {
        get => Volatile.Read(ref _source);
        set
        {
            Volatile.Write(ref _source, value);
            conditions.Set((uint)Bit, value is not null);
        }
    }

    /// <inheritdoc/>
    public override bool Concerns(in CommandNeeds needs) => !needs.Has(CommandTraits.IgnoresValue);

    /// <inheritdoc/>
    public override GateAnswer Ask(ref CommandContext request) =>
        request.Store.Barrier.IsGuest || Source is not { } source ? default : source.Fetch(ref request);
}
