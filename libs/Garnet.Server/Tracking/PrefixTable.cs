// The prefixes of clients that are told of all keys (BCAST). Thread-safe; read without a lock.
using Garnet.Server.Sessions;

namespace Garnet.Server.Tracking;

/// <summary>Every change of a key looks at all prefixes; the arrays are replaced, never changed.</summary>
internal sealed class PrefixTable
{
    private readonly Lock _gate = new();
    private volatile TrackedPrefix[] _prefixes = [];

    /// <summary>The order of prefixes, and of keys: by bytes.</summary>
    public static Comparer<byte[]> Order { get; } = Comparer<byte[]>.Create(static (x, y) => x.AsSpan().SequenceCompareTo(y));

    /// <summary>Number of prefixes.</summary>
    public int Count => _prefixes.Length;

    /// <summary>The prefixes in their order.</summary>
    public ReadOnlySpan<TrackedPrefix> All => _prefixes;

    /// <summary>Adds a client to a prefix.</summary>
    public void Add(byte[] prefix, ClientSession client)
    {
        lock (_gate)
        {
            if (Find(prefix) is { } found)
                found.Clients = [.. found.Clients, client];
            else
                _prefixes = [.. _prefixes.Append(new TrackedPrefix(prefix, client)).OrderBy(static each => each.Bytes, Order)];
        }
    }

    /// <summary>Removes a client from a prefix.</summary>
    public void Remove(byte[] prefix, ClientSession client)
    {
        lock (_gate)
        {
            TrackedPrefix found = Find(prefix)!;
            found.Clients = [.. found.Clients.Where(each => each != client)];
            if (found.Clients.Length == 0)
                _prefixes = [.. _prefixes.Where(each => each != found)];
        }
    }

    private TrackedPrefix? Find(byte[] prefix) => Array.Find(_prefixes, each => each.Bytes.AsSpan().SequenceEqual(prefix));
}
