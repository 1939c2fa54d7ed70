// A key of a logical database, as a dictionary key. Immutable.
namespace Garnet.Engine.Requests;

/// <summary>Equal when database and bytes are.</summary>
/// <param name="database">The logical database.</param>
/// <param name="key">The key's bytes.</param>
/// <param name="hash">
/// The store's hash of the key: keyed by a secret, so that a client cannot choose keys that collide, as it could for the runtime's
/// HashCode.
/// </param>
internal readonly struct KeyName(int database, byte[] key, ulong hash) : IEquatable<KeyName>
{
    /// <summary>The logical database.</summary>
    public int Database => database;

    /// <summary>The key's bytes.</summary>
    public byte[] Key => key;

    /// <summary>The store's hash of the key.</summary>
    public ulong Hash => hash;

    /// <inheritdoc/>
    public bool Equals(KeyName other) => database == other.Database && hash == other.Hash && key.AsSpan().SequenceEqual(other.Key);

    /// <inheritdoc/>
    public override bool Equals(object? obj) => obj is KeyName other && Equals(other);

    /// <inheritdoc/>
    public override int GetHashCode() => HashOf(database, hash);

    internal static int HashOf(int database, ulong hash) => (int)(hash >> 16) + database;
}
