// A large reply from a picture of a collection. Belongs to the connection's thread.
using Garnet.Store.Collections;

namespace Garnet.Server.CommandModel;

/// <summary>A reply that shows a collection as it was when the command came.</summary>
internal abstract class CollectionSnapshotReply(CollectionSnapshot snapshot) : PiecewiseReply(snapshot)
{
    /// <summary>What the reply is made from.</summary>
    protected CollectionSnapshot Snapshot => snapshot;
}
