// Compares keys that clients wait for, including ones still inside a request. Stateless.
namespace Garnet.Engine.Requests;

/// <summary>Equal when database and bytes are.</summary>
internal sealed class KeyNameComparer : IEqualityComparer<KeyName>, IAlternateEqualityComparer<KeyNameSpan, KeyName>
{
    /// <inheritdoc/>
    public bool Equals(KeyName x, KeyName y) => x.Equals(y);

    /// <inheritdoc/>
    public int GetHashCode(KeyName obj) => obj.GetHashCode();

    /// <inheritdoc/>
    public bool Equals(KeyNameSpan alternate, KeyName other) =>
        alternate.Database == other.Database && alternate.Hash == other.Hash && alternate.Key.SequenceEqual(other.Key);

    /// <inheritdoc/>
    public int GetHashCode(KeyNameSpan alternate) => KeyName.HashOf(alternate.Database, alternate.Hash);

    /// <inheritdoc/>
    public KeyName Create(KeyNameSpan alternate) => new(alternate.Database, alternate.Key.ToArray(), alternate.Hash);
}
