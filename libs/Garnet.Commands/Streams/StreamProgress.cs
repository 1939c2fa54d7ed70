// The progress of a group in a stream. Immutable.
using Garnet.Store.Collections.Streams;

namespace Garnet.Commands.Streams;

/// <summary>
/// Derives a group's progress from the stream's counters: how many entries were ever added up to an ID. If entries were deleted, that may
/// be unknown, as in Valkey.
/// </summary>
internal readonly struct StreamProgress(in StreamView view)
{
    private const long Unknown = -1;

    private readonly long _length = view.Length;
    private readonly long _entriesAdded = view.EntriesAdded;
    private readonly StreamId _first = view.FirstId;
    private readonly StreamId _last = view.LastId;
    private readonly StreamId _maxDeleted = view.MaxDeletedId;

    /// <summary>The number of entries not yet delivered to a group; false if unknown.</summary>
    public bool TryGetLag(StreamId groupLastId, long entriesRead, out long lag)
    {
        long read = entriesRead;
        if (_entriesAdded == 0)
            read = 0;
        else if (entriesRead == Unknown || IsDeletedBehind(groupLastId))
            read = Estimate(groupLastId);
        lag = _entriesAdded - read;
        return read != Unknown || _entriesAdded == 0;
    }

    /// <summary>A group's count of entries read after the delivery of the next entry.</summary>
    /// <param name="groupLastId">The group's last delivered ID before.</param>
    /// <param name="entriesRead">Its count before.</param>
    /// <param name="given">The ID of the delivered entry.</param>
    public long After(StreamId groupLastId, long entriesRead, StreamId given)
    {
        if (entriesRead != Unknown && groupLastId >= _first && !IsDeletedBehind(groupLastId))
            return entriesRead + 1;
        return _entriesAdded != 0 ? Estimate(given) : entriesRead;
    }

    // The number of entries ever added up to an ID.
    private long Estimate(StreamId id)
    {
        if (_entriesAdded == 0)
            return 0;
        if (_length == 0 && id <= _last)
            return _entriesAdded;
        if (id != StreamId.Min && id < _maxDeleted)
            return Unknown;
        if (id >= _last)
            return id == _last ? _entriesAdded : Unknown;
        if (_maxDeleted != StreamId.Min && _maxDeleted >= _first)
            return Unknown;
        if (id < _first)
            return _entriesAdded - _length;
        return id == _first ? _entriesAdded - _length + 1 : Unknown;
    }

    private bool IsDeletedBehind(StreamId id) => _length > 0 && _maxDeleted != StreamId.Min && id <= _maxDeleted;
}
