// Takes the effects of a log while it is read.
namespace Garnet.Persistence.AppendLog;

/// <summary>Applies some whole effects.</summary>
/// <param name="effects">RESP arrays; valid during the call.</param>
/// <param name="file">Where they stand, for messages.</param>
/// <param name="position">Byte in the file of the frame that begins them.</param>
public delegate void EffectApplier(ReadOnlySpan<byte> effects, string file, long position);
