// Reads the values that images of a snapshot refer to. Used by the thread that saves.
namespace Garnet.Store.Tiering;

/// <summary>
/// Images whose keys were written before their values could be read in the order of the disk: several are read at the same time, ahead of
/// the one that is needed next. The segments are pinned, so the values are still there.
/// </summary>
internal sealed class SavedReads(ColdTier tier) : IDisposable
{
    private const int Ahead = 32;
    private static readonly TimeSpan Look = TimeSpan.FromMilliseconds(100);
    private readonly Queue<(ColdLocator Locator, ulong Hash)> _wanted = new();
    private readonly Queue<TierLoad> _begun = new();
    private readonly AutoResetEvent _answered = new(false);
    private TierLoad? _current;

    /// <summary>A value that will be needed, in this order.</summary>
    public void Want((ColdLocator Locator, ulong Hash) place) => _wanted.Enqueue(place);

    /// <summary>The next value, until the next call; false when it cannot be read.</summary>
    /// <exception cref="IOException">The disk does not answer.</exception>
    public bool TryNext(out ReadOnlySpan<byte> value)
    {
        Drop(_current);
        _current = null;
        while (_begun.Count < Ahead && _wanted.TryDequeue(out (ColdLocator Locator, ulong Hash) place))
            Begin(place);
        TierLoad load = _begun.Dequeue();
        long begunAtMs = Environment.TickCount64;
        while (!load.IsAnsweredNow)
        {
            _answered.WaitOne(Look);
            if (Environment.TickCount64 - begunAtMs > tier.Options.ReadTimeoutSeconds * 1000L)
            {
                Drop(load);
                throw new IOException("The disk with the values that are not in memory does not answer.");
            }
        }

        _current = load;
        bool isWhole = load.Error == 0 && load.Generation == tier.Segments.GenerationOf(tier.Segments.SegmentOf(load.Locator.Position));
        value = isWhole ? load.Value : default;
        if (!isWhole)
            tier.Statistics.ReadFailed(load.Error);
        return isWhole;
    }

    /// <summary>Drops what is left.</summary>
    public void Dispose()
    {
        Drop(_current);
        while (_begun.TryDequeue(out TierLoad? load))
            Drop(load);
    }

    private void Begin((ColdLocator Locator, ulong Hash) place)
    {
        var load = new TierLoad(place.Locator, place.Hash, tier.Loads.Device.Alignment);
        _begun.Enqueue(load);
        tier.Loads.Device.Read(load.From, load.Memory, load.Bytes, error => End(load, error));
    }

    private void End(TierLoad load, int error)
    {
        if (load.TryEndAlone(error))
            _answered.Set();
    }

    private static void Drop(TierLoad? load)
    {
        if (load is not null && !load.TryGiveUpAlone())
            load.Free();
    }
}
