// The prefixes of clients that are notified of all keys (BCAST). Thread-safe; read without a lock.
using System.Collections.Concurrent;
using System.Diagnostics.CodeAnalysis;
using Garnet.Engine.Execution;

namespace Garnet.Server.Tracking;

/// <summary>A key's prefixes are looked up by their length, so a change costs a lookup for each length that is in use.</summary>
internal sealed class PrefixTable
{
    private readonly Lock _gate = new();
    private readonly ConcurrentDictionary<byte[], TrackedPrefix> _prefixes = new(PrefixComparer.Instance);
    private readonly ConcurrentDictionary<byte[], TrackedPrefix>.AlternateLookup<ReadOnlySpan<byte>> _lookup;
    private readonly SortedDictionary<int, int> _counts = []; // prefixes by length
    private volatile int[] _lengths = [];
    private int _count;

    public PrefixTable() => _lookup = _prefixes.GetAlternateLookup<ReadOnlySpan<byte>>();

    /// <summary>The order of prefixes, and of keys: by bytes.</summary>
    public static Comparer<byte[]> Order { get; } = Comparer<byte[]>.Create(static (x, y) => x.AsSpan().SequenceCompareTo(y));

    /// <summary>Number of prefixes.</summary>
    public int Count => Volatile.Read(ref _count);

    /// <summary>The lengths that prefixes have, ascending.</summary>
    public ReadOnlySpan<int> Lengths => _lengths;

    /// <summary>Finds a prefix.</summary>
    public bool TryFind(ReadOnlySpan<byte> prefix, [NotNullWhen(true)] out TrackedPrefix? found) => _lookup.TryGetValue(prefix, out found);

    /// <summary>Adds a client, given as an array of one, to a prefix.</summary>
    public void Add(byte[] prefix, ClientSession[] client)
    {
        lock (_gate)
        {
            if (_prefixes.TryGetValue(prefix, out TrackedPrefix? found))
            {
                found.Clients = [.. found.Clients, .. client];
                return;
            }

            _prefixes[prefix] = new TrackedPrefix(prefix, client);
            _count++;
            CountLength(prefix.Length, 1);
        }
    }

    /// <summary>Removes a client from a prefix.</summary>
    public void Remove(byte[] prefix, ClientSession client)
    {
        lock (_gate)
        {
            TrackedPrefix found = _prefixes[prefix];
            found.Clients = [.. found.Clients.Where(each => each != client)];
            if (found.Clients.Length > 0)
                return;
            _prefixes.TryRemove(prefix, out _);
            _count--;
            CountLength(prefix.Length, -1);
        }
    }

    private void CountLength(int length, int change)
    {
        int before = _counts.GetValueOrDefault(length);
        _counts[length] = before + change;
        if (before + change == 0)
            _counts.Remove(length);
        if (before == 0 || before + change == 0)
            _lengths = [.. _counts.Keys];
    }
}
