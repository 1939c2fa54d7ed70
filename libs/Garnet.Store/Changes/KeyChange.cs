// One change of one key. Valid only during the call that passes it.
namespace Garnet.Store.Changes;

/// <summary>A change of a key, raised once for each key and kind that a command changes, while the key is latched.</summary>
/// <param name="kind">What happened.</param>
/// <param name="database">The logical database.</param>
/// <param name="key">The key.</param>
internal readonly ref struct KeyChange(KeyChangeKind kind, int database, ReadOnlySpan<byte> key)
{
    /// <summary>What happened.</summary>
    public KeyChangeKind Kind { get; } = kind;

    /// <summary>The logical database.</summary>
    public int Database { get; } = database;

    /// <summary>The key's bytes.</summary>
    public ReadOnlySpan<byte> Key { get; } = key;
}
