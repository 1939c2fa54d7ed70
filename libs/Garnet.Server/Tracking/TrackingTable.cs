// Which clients have read which keys. Thread-safe.
using Garnet.Store;

namespace Garnet.Server.Tracking;

/// <summary>
/// As in Valkey a key is its name, in whichever database it was read: a client is notified of more changes than it has to be, which is
/// harmless. Clients are numbers that stay in the table after their clients have gone, until their keys change.
/// </summary>
internal sealed class TrackingTable
{
    private const int Shards = 64;
    private readonly TrackingShard[] _shards;
    private long _keys;

    public TrackingTable(HybridLogStore store) => _shards = [.. Enumerable.Range(0, Shards).Select(_ => new TrackingShard(store))];

    /// <summary>Number of keys.</summary>
    public long Keys => Volatile.Read(ref _keys);

    /// <summary>Number of clients, counted once for each key.</summary>
    public long Items => _shards.Sum(static shard => shard.Items);

    /// <summary>Bytes of memory, which are part of the store's.</summary>
    public long Bytes => _shards.Sum(static shard => shard.Bytes);

    /// <summary>Adds a client to a key; false when there is no space for that.</summary>
    public bool TryAdd(ulong hash, ReadOnlySpan<byte> key, uint client)
    {
        TrackingShard shard = ShardOf(hash);
        lock (shard.Gate)
        {
            int keys = shard.Keys;
            bool isAdded = shard.TryAdd(TagOf(hash), key, client);
            if (shard.Keys != keys)
                Interlocked.Increment(ref _keys);
            return isAdded;
        }
    }

    /// <summary>Removes a key; returns the number of its clients, which <paramref name="clients"/> receives, enlarged if need be.</summary>
    public int Remove(ulong hash, ReadOnlySpan<byte> key, ref uint[] clients)
    {
        TrackingShard shard = ShardOf(hash);
        lock (shard.Gate)
        {
            int count = shard.Remove(TagOf(hash), key, ref clients);
            if (count > 0)
                Interlocked.Decrement(ref _keys);
            return count;
        }
    }

    /// <summary>Removes any key; null when there is none.</summary>
    public byte[]? RemoveAny(ref uint[] clients, out int count)
    {
        ulong random = (ulong)Random.Shared.NextInt64();
        for (uint i = 0; i < Shards; i++)
        {
            TrackingShard shard = _shards[(random + i) % Shards];
            lock (shard.Gate)
            {
                if (shard.Keys == 0)
                    continue;
                Interlocked.Decrement(ref _keys);
                return shard.RemoveAfter((uint)(random >> 32), ref clients, out count);
            }
        }

        count = 0;
        return null;
    }

    /// <summary>Removes everything and returns the memory.</summary>
    public void Clear()
    {
        foreach (TrackingShard shard in _shards)
        {
            lock (shard.Gate)
            {
                Interlocked.Add(ref _keys, -shard.Keys);
                shard.Clear();
            }
        }
    }

    private static uint TagOf(ulong hash) => (uint)(hash >> 32);

    private TrackingShard ShardOf(ulong hash) => _shards[hash % Shards];
}
