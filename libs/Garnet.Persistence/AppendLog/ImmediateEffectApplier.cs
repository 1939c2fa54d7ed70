// An effect reader that has done everything when it returns. Called by the thread that reads the log.
namespace Garnet.Persistence.AppendLog;

/// <summary>Makes an <see cref="IEffectApplier"/> of a method.</summary>
internal sealed class ImmediateEffectApplier(EffectApplier apply) : IEffectApplier
{
    /// <inheritdoc/>
    public void Apply(ArraySegment<byte> effects, string file, long position) => apply(effects, file, position);

    /// <inheritdoc/>
    public void Settle() { }
}
