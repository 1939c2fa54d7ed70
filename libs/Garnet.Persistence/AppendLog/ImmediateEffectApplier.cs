// An effect applier that is finished when the call returns. Called by the thread that reads the log.
namespace Garnet.Persistence.AppendLog;

/// <summary>Adapts a delegate to <see cref="IEffectApplier"/>.</summary>
internal sealed class ImmediateEffectApplier(EffectApplier apply) : IEffectApplier
{
    /// <inheritdoc/>
    public void Apply(ArraySegment<byte> effects, string file, long position) => apply(effects, file, position);

    /// <inheritdoc/>
    public void Settle() { }
}
