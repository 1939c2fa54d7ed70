// A key of a logical database inside a request, for lookups without a copy. Immutable.
namespace Garnet.Engine.Requests;

/// <summary>As <see cref="KeyName"/>, for the duration of a lookup.</summary>
internal readonly ref struct KeyNameSpan(int database, ReadOnlySpan<byte> key, ulong hash)
{
    /// <summary>The logical database.</summary>
    public int Database { get; } = database;

    /// <summary>The key's bytes.</summary>
    public ReadOnlySpan<byte> Key { get; } = key;

    /// <summary>The store's hash of the key.</summary>
    public ulong Hash { get; } = hash;
}
