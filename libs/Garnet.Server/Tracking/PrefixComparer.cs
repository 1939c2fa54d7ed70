// Compares prefixes with parts of keys. Stateless; any thread.
namespace Garnet.Server.Tracking;

/// <summary>Equal when the bytes are. The hash has a secret of the process, so that clients cannot choose prefixes that collide.</summary>
internal sealed class PrefixComparer : IEqualityComparer<byte[]>, IAlternateEqualityComparer<ReadOnlySpan<byte>, byte[]>
{
    /// <summary>The only instance.</summary>
    public static readonly PrefixComparer Instance = new();

    /// <inheritdoc/>
    public bool Equals(byte[]? x, byte[]? y) => x.AsSpan().SequenceEqual(y);

    /// <inheritdoc/>
    public bool Equals(ReadOnlySpan<byte> alternate, byte[] other) => alternate.SequenceEqual(other);

    /// <inheritdoc/>
    public int GetHashCode(byte[] obj) => GetHashCode(obj.AsSpan());

    /// <inheritdoc/>
    public int GetHashCode(ReadOnlySpan<byte> alternate)
    {
        HashCode hash = new();
        hash.AddBytes(alternate);
        return hash.ToHashCode();
    }

    /// <inheritdoc/>
    public byte[] Create(ReadOnlySpan<byte> alternate) => alternate.ToArray();
}
