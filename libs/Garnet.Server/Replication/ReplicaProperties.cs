// What a replica has announced about itself. Written by its connection's thread, read by others.
using Garnet.Server.Configuration;

namespace Garnet.Server.Replication;

/// <summary>The properties that REPLCONF sets before a synchronization.</summary>
internal sealed class ReplicaProperties
{
    /// <summary>Longest address that is accepted.</summary>
    public const int MaxAddressLength = ReplicationOptions.MaxAnnouncedAddress;

    /// <summary>The version of Valkey from which on replicas read its own format of snapshots.</summary>
    private const int FirstWithOwnFormat = 9 << 16;

    /// <summary>The port that the replica listens on; 0 when unknown.</summary>
    public int Port { get; set; }

    /// <summary>The address it wants to be known by; empty for that of its connection.</summary>
    public string Address { get; set; } = "";

    /// <summary>Whether it reads snapshots of unknown length, which end with a mark.</summary>
    public bool TakesEndMark { get; set; }

    /// <summary>Whether it understands that the history has another identifier when it continues.</summary>
    public bool TakesNewHistory { get; set; }

    /// <summary>Whether it acknowledges positions: it does unless it sent SYNC.</summary>
    public bool Acknowledges { get; set; }

    /// <summary>Whether it wants a snapshot and nothing after it.</summary>
    public bool IsSnapshotOnly { get; set; }

    /// <summary>Whether its snapshot is to have the keys.</summary>
    public bool TakesData { get; set; } = true;

    /// <summary>Whether its snapshot is to have the libraries of functions.</summary>
    public bool TakesFunctions { get; set; } = true;

    /// <summary>Its version as one number, 0xMMmmpp; 0 when it has not said.</summary>
    public int Version { get; set; }

    /// <summary>Whether it reads Valkey's own format of snapshots.</summary>
    public bool ReadsValkeyFormat => Version >= FirstWithOwnFormat;

    /// <summary>Which snapshot it gets; replicas of one kind share one.</summary>
    public SnapshotKind SnapshotKind => new(ReadsValkeyFormat, TakesEndMark, TakesData, TakesFunctions);
}
