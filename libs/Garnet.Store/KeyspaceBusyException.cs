// Thrown to a session that wanted the keyspace alone while another one holds it for long.
namespace Garnet.Store;

/// <summary>
/// The keyspace cannot be had alone, because another session holds it and will for a while. The session has changed nothing and is in its
/// batch, as a guest.
/// </summary>
internal sealed class KeyspaceBusyException() : Exception("Another session holds the keyspace.");
