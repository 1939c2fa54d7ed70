// A large reply from a snapshot of a collection. Belongs to the connection's thread.
using Garnet.Store.Collections;

namespace Garnet.Engine.Arguments;

/// <summary>A reply with the content of a collection at the time of the command.</summary>
internal abstract class CollectionSnapshotReply(CollectionSnapshot snapshot) : PiecewiseReply(snapshot)
{
    /// <summary>The source of the reply.</summary>
    protected CollectionSnapshot Snapshot => snapshot;
}
