// Which snapshot a replica can read and wants. Immutable.
namespace Garnet.Server.Replication;

/// <summary>Replicas that wait for the same kind of snapshot share one.</summary>
/// <param name="IsValkeyFormat">Valkey's own format, and not that of Redis.</param>
/// <param name="HasEndMark">It is sent as it is made and ends with a mark; otherwise it is made first, and its length is announced.</param>
/// <param name="HasData">It has the keys.</param>
/// <param name="HasFunctions">It has the libraries of functions.</param>
internal readonly record struct SnapshotKind(bool IsValkeyFormat, bool HasEndMark, bool HasData, bool HasFunctions);
