// The progress of a save. Written by the saver's thread, read by any.
namespace Garnet.Persistence.Snapshots;

/// <summary>Figures of the current save; each one is consistent, but together they may be slightly out of step.</summary>
internal sealed class SaveProgress
{
    private long _keys;
    private long _bytes;
    private long _walkedPermyriad;

    internal SaveProgress(long startedTimestamp) => StartedTimestamp = startedTimestamp;

    /// <summary>When it was begun, as the time provider's timestamp.</summary>
    public long StartedTimestamp { get; }

    /// <summary>Upper bound of the keys in the snapshot: the number at the flip, of which some may have expired.</summary>
    public long KeysTotal { get; internal set; }

    /// <summary>Keys encoded.</summary>
    public long Keys
    {
        get => Volatile.Read(ref _keys);
        internal set => Volatile.Write(ref _keys, value);
    }

    /// <summary>Bytes of the file written.</summary>
    public long Bytes
    {
        get => Volatile.Read(ref _bytes);
        internal set => Volatile.Write(ref _bytes, value);
    }

    /// <summary>Pages of the store at the flip.</summary>
    public long PagesTotal { get; internal set; }

    /// <summary>Pages of the store still to be walked.</summary>
    public long PagesLeft => (long)Math.Ceiling(PagesTotal * (1 - WalkedShare));

    /// <summary>Share of the pages walked: 0 to 1.</summary>
    public double WalkedShare
    {
        get => Volatile.Read(ref _walkedPermyriad) / 10_000.0;
        internal set => Volatile.Write(ref _walkedPermyriad, (long)(value * 10_000));
    }

    /// <summary>Memory currently used by old images.</summary>
    public long ImageBytes { get; internal set; }

    /// <summary>Peak memory of old images.</summary>
    public long PeakImageBytes { get; internal set; }
}
