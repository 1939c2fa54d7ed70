// Counts what the hybrid cache does. Thread-safe.
using System.Diagnostics;
using System.Diagnostics.Metrics;

namespace Garnet.Caching.Hybrid;

/// <summary>Meter, instruments and activities have the names of the event source and counters of Microsoft's implementation.</summary>
internal sealed class HybridCacheMetrics : IDisposable
{
    /// <summary>The name of meter and activity source.</summary>
    public const string Name = "Microsoft-Extensions-HybridCache";

    /// <summary>Activities for loads, changes and batches.</summary>
    public static readonly ActivitySource Activities = new(Name);

    private readonly Meter _meter;
    private readonly Counter<long> _localHits;
    private readonly Counter<long> _localMisses;
    private readonly Counter<long> _serverHits;
    private readonly Counter<long> _serverMisses;
    private readonly UpDownCounter<long> _fetches;
    private readonly Counter<long> _localWrites;
    private readonly Counter<long> _serverWrites;
    private readonly Counter<long> _tagInvalidations;

    /// <param name="cache">The cache's name, if the application has several; part of the meter.</param>
    public HybridCacheMetrics(string? cache)
    {
        _meter = new Meter(Name, version: null, tags: cache is null ? null : [new KeyValuePair<string, object?>("cache", cache)]);
        _localHits = _meter.CreateCounter<long>("total-local-cache-hits");
        _localMisses = _meter.CreateCounter<long>("total-local-cache-misses");
        _serverHits = _meter.CreateCounter<long>("total-distributed-cache-hits");
        _serverMisses = _meter.CreateCounter<long>("total-distributed-cache-misses");
        _fetches = _meter.CreateUpDownCounter<long>("current-distributed-cache-fetches");
        _localWrites = _meter.CreateCounter<long>("total-local-cache-writes");
        _serverWrites = _meter.CreateCounter<long>("total-distributed-cache-writes");
        _tagInvalidations = _meter.CreateCounter<long>("total-tag-invalidations");
    }

    /// <summary>The meter, by which tests know it from those of other caches.</summary>
    public Meter Meter => _meter;

    public void LocalHit() => _localHits.Add(1);

    public void LocalMiss() => _localMisses.Add(1);

    public void ServerHit() => _serverHits.Add(1);

    public void ServerMiss() => _serverMisses.Add(1);

    public void FetchBegins() => _fetches.Add(1);

    public void FetchEnds() => _fetches.Add(-1);

    public void LocalWrite() => _localWrites.Add(1);

    public void ServerWrite() => _serverWrites.Add(1);

    public void TagInvalidated(int tags) => _tagInvalidations.Add(tags);

    /// <inheritdoc/>
    public void Dispose() => _meter.Dispose();
}
