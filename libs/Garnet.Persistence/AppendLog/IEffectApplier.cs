// Takes the effects of a log while it is read. Called by the thread that reads the log.
namespace Garnet.Persistence.AppendLog;

/// <summary>Carries effects out, perhaps later than it is given them.</summary>
public interface IEffectApplier
{
    /// <summary>Takes some whole effects.</summary>
    /// <param name="effects">RESP arrays; they stay as they are until <see cref="Settle"/> returns.</param>
    /// <param name="file">Where they stand, for messages.</param>
    /// <param name="position">Byte in the file of the frame that begins them.</param>
    void Apply(ArraySegment<byte> effects, string file, long position);

    /// <summary>Returns when everything is carried out that was given.</summary>
    void Settle();
}
