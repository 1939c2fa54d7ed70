// A key of a logical database that lies in a request, to look it up without a copy. Immutable.
namespace Garnet.Server.Blocking;

/// <summary>As <see cref="KeyName"/>, for the time of a look-up.</summary>
internal readonly ref struct KeyNameSpan(int database, ReadOnlySpan<byte> key, ulong hash)
{
    /// <summary>The logical database.</summary>
    public int Database { get; } = database;

    /// <summary>The key's bytes.</summary>
    public ReadOnlySpan<byte> Key { get; } = key;

    /// <summary>The store's hash of the key.</summary>
    public ulong Hash { get; } = hash;
}
