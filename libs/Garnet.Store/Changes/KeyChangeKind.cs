// The kinds of changes that can happen to a key. Immutable; any thread.
namespace Garnet.Store.Changes;

/// <summary>
/// What happened to a key. Who reacts to which kind is said in one place, <see cref="KeyChangeKinds"/>.
/// </summary>
internal enum KeyChangeKind : byte
{
    /// <summary>No change; never raised.</summary>
    None,

    /// <summary>The key did not exist and does now.</summary>
    Created,

    /// <summary>The key's value, type or expiry is another one now.</summary>
    Modified,

    /// <summary>The key's collection lost elements and gained none, so no client that waits for an element can be served.</summary>
    Reduced,

    /// <summary>
    /// A stream's groups, consumers or pending entries changed, its entries did not. Valkey does not count that for WATCH or for clients
    /// that wait for entries.
    /// </summary>
    Metadata,

    /// <summary>A stream lost a consumer group: clients that read in that group must be notified.</summary>
    GroupRemoved,

    /// <summary>A command removed the key.</summary>
    Removed,

    /// <summary>The key was removed because its expiry has passed. Not a change made by the command that noticed.</summary>
    Expired,

    /// <summary>The key was removed because memory was needed. Not a change made by the command that needed it.</summary>
    Evicted,

    /// <summary>
    /// Maintenance is removing expired fields of a hash. Besides <see cref="Modified"/> or <see cref="Removed"/>, and before.
    /// </summary>
    FieldsExpired,

    /// <summary>Maintenance has removed a hash with its last expired fields. After <see cref="Removed"/>.</summary>
    LastFieldExpired,
}
