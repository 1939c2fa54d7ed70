// A string read from the server. A plain value.
namespace Garnet.Caching.Links;

/// <summary>A string, or nothing, and its time to live.</summary>
/// <param name="Bytes">Its own memory; null when there is no such key.</param>
/// <param name="LeftMs">Milliseconds that are left; -1 without an expiry or when that was not asked for, -2 when it was not there.</param>
internal readonly record struct StoredBytes(ReadOnlyMemory<byte>? Bytes, long LeftMs)
{
    /// <summary>No such key.</summary>
    // Spelled out: a null array would become empty memory, which is a string of no bytes.
    public static readonly StoredBytes None = new(Bytes: default(ReadOnlyMemory<byte>?), -2);
}
