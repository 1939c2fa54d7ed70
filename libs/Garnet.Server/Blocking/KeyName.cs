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

    // Seeded by the runtime at each start, so that nobody can choose keys that collide.
    /// <inheritdoc/>
    public override int GetHashCode()
    {
        HashCode hash = default;
        hash.Add(database);
        hash.AddBytes(key);
        return hash.ToHashCode();
    }
}
