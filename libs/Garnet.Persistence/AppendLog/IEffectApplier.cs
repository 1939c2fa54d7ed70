// Receives the effects of a log while it is read. Called by the thread that reads the log.
namespace Garnet.Persistence.AppendLog;

/// <summary>Applies effects, possibly later than it receives them.</summary>
internal interface IEffectApplier
{
    /// <summary>Receives one or more whole effects.</summary>
    /// <param name="effects">RESP arrays; unchanged until <see cref="Settle"/> returns.</param>
    /// <param name="file">Their file, for messages.</param>
    /// <param name="position">Byte offset of the frame in which they begin.</param>
    void Apply(ArraySegment<byte> effects, string file, long position);

    /// <summary>Returns when everything received has been applied.</summary>
    void Settle();
}
