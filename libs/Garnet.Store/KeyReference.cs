// A key with its database, for latching several keys at once.
namespace Garnet.Store;

/// <summary>Identifies a key by its hash, so that a list of keys needs no copies.</summary>
/// <param name="Database">Logical database.</param>
/// <param name="Hash">The key's hash, from <see cref="StoreSession.Hash"/>.</param>
internal readonly record struct KeyReference(int Database, ulong Hash);
