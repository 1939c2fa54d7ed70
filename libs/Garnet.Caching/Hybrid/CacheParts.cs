// The parts of a hybrid cache, and how they are put together. Made once; disposed with the cache.
using Garnet.Caching.Coherence;
using Garnet.Caching.Hybrid.Serialization;
using Garnet.Caching.Links;
using Microsoft.Extensions.Logging;

namespace Garnet.Caching.Hybrid;

/// <summary>Only composes.</summary>
internal sealed class CacheParts : IAsyncDisposable
{
    private readonly CoherentTags _coherence;

    public CacheParts(
        CoherentTags coherence,
        GarnetHybridCacheOptions options,
        EntrySerializers serializers,
        ILogger logger,
        string? name,
        TimeProvider time
    )
    {
        (_coherence, Options, Serializers, Time) = (coherence, options, serializers, time);
        Defaults = EntrySettings.Of(options.DefaultEntryOptions, default);
        Log = new CacheLog(logger, time);
        Metrics = new HybridCacheMetrics(name);
        Local = new LocalTable(options.MaximumLocalBytes);
        Reader = new EntryReader(coherence.Link, coherence.Names, coherence.Tags, Metrics, Log);
        LoadLeases leases = new(coherence.Link, coherence.Names, options.LoaderLease, time);
        Factory = new EntryFactory(options.MaximumPayloadBytes, Log, time);
        Direct = new DirectReader(coherence.Link, Reader, Factory, serializers, Local, Flights, Metrics);
        Loader = new EntryLoader(Reader, leases, coherence.Tags, Factory, Metrics, Log);
        Batches = new EntryBatches(this, coherence);
        coherence.Loaded = leases.OnEnded;
        coherence.Changed = OnChanged;
        coherence.Ended = Local.Clear;
        coherence.Start();
    }

    public GarnetHybridCacheOptions Options { get; }

    public EntrySettings Defaults { get; }

    public EntrySerializers Serializers { get; }

    public TimeProvider Time { get; }

    public CacheLog Log { get; }

    public HybridCacheMetrics Metrics { get; }

    public LocalTable Local { get; }

    public FlightTable Flights { get; } = new();

    public EntryReader Reader { get; }

    public EntryFactory Factory { get; }

    public DirectReader Direct { get; }

    public EntryLoader Loader { get; }

    public EntryBatches Batches { get; }

    public CoherentTags Coherence => _coherence;

    public CacheMembership Membership => _coherence.Membership;

    public async ValueTask DisposeAsync()
    {
        await _coherence.DisposeAsync().ConfigureAwait(false);
        Metrics.Dispose();
    }

    // Flights first: what they put into the table refers to their generation, so that it does not matter when they do.
    private void OnChanged(CacheChange change)
    {
        foreach (string key in change.Keys)
        {
            Flights.End(key);
            Local.Remove(key);
        }
    }
}
