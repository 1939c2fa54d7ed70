// What a snapshot has beside the keys. Called at the flip, while no command is running.
namespace Garnet.Persistence.Snapshots;

/// <summary>The owner of something that is saved together with the keys, as of the same moment.</summary>
internal interface ISavedBeside
{
    /// <summary>The libraries of functions, each as its source.</summary>
    IReadOnlyList<byte[]> Sources { get; }
}
