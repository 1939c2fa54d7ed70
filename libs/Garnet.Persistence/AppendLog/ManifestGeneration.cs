// One line of the manifest. Immutable.
namespace Garnet.Persistence.AppendLog;

/// <summary>A generation that must exist in the folder.</summary>
/// <param name="Number">Its number.</param>
/// <param name="Start">Position in the stream of effects where it begins.</param>
/// <param name="Floor">Position up to which its files are known to have been durable.</param>
internal readonly record struct ManifestGeneration(int Number, long Start, long Floor);
