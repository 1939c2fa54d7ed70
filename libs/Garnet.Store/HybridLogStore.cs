// The store: index, hybrid log, blocks, epochs and databases of one keyspace. Thread-safe; callers work through StoreSession.
namespace Garnet.Store;

/// <summary>Bytes by key on a hybrid log in native memory.</summary>
public sealed class HybridLogStore : IDisposable
{
    /// <summary>Builds an empty store.</summary>
    public HybridLogStore(StoreOptions options, TimeProvider time) => throw new NotImplementedException();

    /// <summary>Number of logical databases.</summary>
    public int Databases => throw new NotImplementedException();

    /// <summary>Where effects of writes go; null (the default) costs nothing. Set it only before sessions run or inside <see cref="RunExclusive"/>.</summary>
    public IWriteSink? Sink { get; set; }

    /// <summary>Called under the key's latch when a lazily or actively expired key is removed, so that its DEL reaches the sink.</summary>
    public StoreStatistics Statistics => throw new NotImplementedException();

    /// <summary>Opens a session; one per connection or background worker, used by one thread at a time.</summary>
    public StoreSession OpenSession() => throw new NotImplementedException();

    /// <summary>Live keys of a logical database (expired ones not yet removed included, as Valkey's DBSIZE).</summary>
    public long KeyCount(int database) => throw new NotImplementedException();

    /// <summary>Keys of a logical database that carry an expiry.</summary>
    public long ExpiringKeyCount(int database) => throw new NotImplementedException();

    /// <summary>Runs an action while no other session is inside a command: one point in time. The caller must hold no latch.</summary>
    public void RunExclusive(StoreSession caller, Action action) => throw new NotImplementedException();

    /// <inheritdoc/>
    public void Dispose() => throw new NotImplementedException();
}
