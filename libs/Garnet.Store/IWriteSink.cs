// Receives the effects of writes, for the append-only log. Called under the latches of the written keys.
namespace Garnet.Store;

/// <summary>
/// Receives each write's effect as RESP bytes while the written keys are still latched, so the order of effects is the order of each key's
/// changes. Implementations must not wait, must not access the store, and must not throw.
/// </summary>
internal interface IWriteSink
{
    /// <summary>Appends one effect.</summary>
    /// <param name="database">Logical database the effect applies to.</param>
    /// <param name="effect">One or more complete RESP arrays; valid during the call only.</param>
    void Append(int database, ReadOnlySpan<byte> effect);
}
