// A client as a replica.
using Garnet.Engine.Execution;

namespace Garnet.Server.Replication;

/// <summary>Finds the link to a client that is a replica.</summary>
internal static class ReplicaOfClient
{
    extension(ClientOutput output)
    {
        /// <summary>The link, and what the replica has announced; null for other clients.</summary>
        public ReplicaLink? Replica
        {
            get => (ReplicaLink?)output.Feed;
            set => output.Feed = value;
        }
    }
}
