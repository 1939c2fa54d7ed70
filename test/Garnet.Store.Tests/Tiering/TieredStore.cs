// A store with a tier whose disk is memory, and a client that waits for values. Used by one test at a time.
using System.Text;
using Garnet.Store.Tiering;
using Garnet.Testing;

namespace Garnet.Store.Tests.Tiering;

/// <summary>The tier's thread does not run: tests take its turns.</summary>
internal sealed class TieredStore : IDisposable
{
    public TieredStore(long maxMemory = 0, EvictionPolicy policy = EvictionPolicy.NoEviction, TierOptions? sizes = null)
    {
        Store = new HybridLogStore(
            new StoreOptions
            {
                PageSizeBits = 16,
                MaxMemoryBytes = maxMemory,
                EvictionSeed = 7,
            },
            Time
        )
        {
            Eviction = new() { Policy = policy },
        };
        Tier = ColdTier.Open(Store, sizes ?? TierSweep.SmallSizes, Device);
        Client = new StoreClient(Store);
    }

    public VirtualTime Time { get; } = new();

    public MemoryTierDevice Device { get; } = new();

    public HybridLogStore Store { get; }

    public ColdTier Tier { get; }

    /// <summary>Does not wait for values itself.</summary>
    public StoreClient Client { get; }

    /// <summary>Brings a key's value into memory and reads it, as a command does.</summary>
    public string? Get(string key) => GetBytes(Encoding.UTF8.GetBytes(key)) is { } value ? Encoding.UTF8.GetString(value) : null;

    public byte[]? GetBytes(byte[] key) => Read(Client.Session, key);

    /// <summary>As <see cref="Get"/>, with any session.</summary>
    public static byte[]? Read(StoreSession session, byte[] key)
    {
        var reader = new StoreClient.CopyingReader();
        bool isRead = false;
        while (!isRead)
        {
            session.EnterBatch();
            ColdOutcome outcome = ColdKeys.Prepare(session, [new KeyReference(0, session.Hash(key))], out Task? wait);
            isRead = outcome == ColdOutcome.Warm;
            bool isFound = isRead && session.Reads.Read(key, session.Hash(key), RecordType.String, ref reader) == ReadOutcome.Found;
            session.LeaveBatch();
            if (isRead && !isFound)
                return null;
            if (!isRead && outcome != ColdOutcome.Wait)
                throw new InvalidOperationException(outcome.ToString());
            wait?.Wait();
        }

        return reader.Value;
    }

    public void Dispose()
    {
        Client.Dispose();
        Store.Dispose();
    }
}
