// How far a group has come in a stream. Immutable.
using Garnet.Store;

namespace Garnet.Server.Commands.Streams;

/// <summary>
/// The counters of a stream from which a group's progress follows: how many entries were ever added up to an ID. Where entries were deleted that may be unknown, as in Valkey.
/// </summary>
internal readonly struct StreamProgress(in StreamView view)
{
    private const long Unknown = -1;

    private readonly long length = view.Length;
    private readonly long entriesAdded = view.EntriesAdded;
    private readonly StreamId first = view.FirstId;
    private readonly StreamId last = view.LastId;
    private readonly StreamId maxDeleted = view.MaxDeletedId;

    /// <summary>Entries that a group has still to be given; false when that is unknown.</summary>
    public bool TryGetLag(StreamId groupLastId, long entriesRead, out long lag)
    {
        long read = entriesRead;
        if (entriesAdded == 0)
            read = 0;
        else if (entriesRead == Unknown || IsDeletedBehind(groupLastId))
            read = Estimate(groupLastId);
        lag = entriesAdded - read;
        return read != Unknown || entriesAdded == 0;
    }

    /// <summary>A group's counter of entries read after it was given the next entry.</summary>
    /// <param name="groupLastId">The group's last ID before.</param>
    /// <param name="entriesRead">Its counter before.</param>
    /// <param name="given">The ID it was given.</param>
    public long After(StreamId groupLastId, long entriesRead, StreamId given)
    {
        if (entriesRead != Unknown && groupLastId >= first && !IsDeletedBehind(groupLastId))
            return entriesRead + 1;
        return entriesAdded != 0 ? Estimate(given) : entriesRead;
    }

    // Entries ever added up to an ID.
    private long Estimate(StreamId id)
    {
        if (entriesAdded == 0)
            return 0;
        if (length == 0 && id <= last)
            return entriesAdded;
        if (id != StreamId.Min && id < maxDeleted)
            return Unknown;
        if (id >= last)
            return id == last ? entriesAdded : Unknown;
        if (maxDeleted != StreamId.Min && maxDeleted >= first)
            return Unknown;
        if (id < first)
            return entriesAdded - length;
        return id == first ? entriesAdded - length + 1 : Unknown;
    }

    private bool IsDeletedBehind(StreamId id) => length > 0 && maxDeleted != StreamId.Min && id <= maxDeleted;
}
