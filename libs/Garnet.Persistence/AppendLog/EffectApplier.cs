// Receives the effects of a log while it is read.
namespace Garnet.Persistence.AppendLog;

/// <summary>Applies one or more whole effects.</summary>
/// <param name="effects">RESP arrays; valid during the call.</param>
/// <param name="file">Their file, for messages.</param>
/// <param name="position">Byte offset of the frame in which they begin.</param>
internal delegate void EffectApplier(ReadOnlySpan<byte> effects, string file, long position);
