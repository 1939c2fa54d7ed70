// An effect that was accepted before cannot be executed. Immutable.
namespace Garnet.Server.Persistence.Replay;

/// <summary>The data would differ from what the log, or the primary, has.</summary>
/// <param name="problem">Which effect, and why.</param>
internal sealed class LostEffectException(string problem) : Exception(problem);
