// A key of a logical database, as a dictionary's key. Immutable.
namespace Garnet.Server.Blocking;

/// <summary>Equal when database and bytes are.</summary>
internal readonly struct KeyName(int database, byte[] key) : IEquatable<KeyName>
{
    /// <summary>The logical database.</summary>
    public int Database => database;

    /// <summary>The key's bytes.</summary>
    public byte[] Key => key;

    /// <inheritdoc/>
    public bool Equals(KeyName other) => database == other.Database && key.AsSpan().SequenceEqual(other.Key);

    /// <inheritdoc/>
    public override bool Equals(object? obj) => obj is KeyName other && Equals(other);

    /// <inheritdoc/>
    public override int GetHashCode() => HashOf(database, key);

    // Seeded by the runtime at each start, so that a client cannot choose keys that collide.
    internal static int HashOf(int database, ReadOnlySpan<byte> key)
    {
        HashCode hash = default;
        hash.Add(database);
        hash.AddBytes(key);
        return hash.ToHashCode();
    }
}
