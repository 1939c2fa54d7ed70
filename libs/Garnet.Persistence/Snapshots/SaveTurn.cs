// When a queued save begins. Immutable.
namespace Garnet.Persistence.Snapshots;

/// <summary>The place of a save in the saver's queue.</summary>
internal enum SaveTurn
{
    /// <summary>After the current save and all that were queued before.</summary>
    Next,

    /// <summary>Before every <see cref="Next"/>; the current save is cancelled for it.</summary>
    Instead,
}
