// Bounds what requests hold in memory until their answers have been read. Any thread.
using Garnet.Dashboard.Login;

namespace Garnet.Dashboard.Http;

/// <summary>
/// Counts the bytes of bodies, replies and answers. A session has its own bound. Where all of them together have reached theirs, the
/// largest request of the user that holds most is given up, unless that user is the one that asks for more: then its largest session
/// loses one, if it holds more than the one that asks. So neither users nor sessions keep others out by asking without reading.
/// </summary>
/// <param name="maxBytes">Bytes of all requests, with those that are being given up.</param>
/// <param name="maxSessionBytes">Bytes of one session's requests.</param>
internal sealed class MemoryBudget(long maxBytes, long maxSessionBytes)
{
    // What is left to requests while others are being given up for them.
    private const int SparePart = 4;

    private readonly Lock _gate = new();
    private readonly HashSet<RequestMemory> _requests = [];
    private long _held;
    private long _leaving;

    /// <summary>Bytes that are held.</summary>
    public long Held
    {
        get
        {
            lock (_gate)
                return _held;
        }
    }

    /// <summary>Gives a request more; false when there is no more for it.</summary>
    internal bool TryTake(RequestMemory request, long bytes)
    {
        List<RequestMemory> victims = [];
        bool isTaken;
        lock (_gate)
            isTaken = TryTake(request, bytes, victims);
        victims.ForEach(static victim => victim.GiveUp());
        return isTaken;
    }

    /// <summary>Takes back a part of what a request has.</summary>
    internal void GiveBack(RequestMemory request, long bytes)
    {
        lock (_gate)
            Count(request, -bytes);
    }

    /// <summary>Takes back all of it.</summary>
    internal void End(RequestMemory request)
    {
        lock (_gate)
        {
            Count(request, -request.Bytes);
            _requests.Remove(request);
        }
    }

    private bool TryTake(RequestMemory request, long bytes, List<RequestMemory> victims)
    {
        if (request.IsGivenUp || _held + bytes > maxBytes)
            return false;
        if (request.Session is { } session && HeldBy(session) + bytes > maxSessionBytes)
            return false;
        while (_held - _leaving + bytes > maxBytes - (maxBytes / SparePart))
        {
            if (FindVictim(request, bytes) is not { } victim)
                return false;
            victim.IsGivenUp = true;
            _leaving += victim.Bytes;
            victims.Add(victim);
        }

        _requests.Add(request);
        Count(request, bytes);
        return true;
    }

    private long HeldBy(DashboardSession session) => _requests.Where(each => each.Session == session).Sum(static each => each.Bytes);

    private void Count(RequestMemory request, long bytes)
    {
        request.Bytes += bytes;
        _held += bytes;
        if (request.IsGivenUp)
            _leaving += bytes;
    }

    private RequestMemory? FindVictim(RequestMemory newcomer, long bytes)
    {
        IGrouping<string?, RequestMemory>[] users =
        [
            .. _requests.Where(static each => !each.IsGivenUp).GroupBy(static each => each.Session?.User, StringComparer.Ordinal),
        ];
        if (Largest(users, newcomer.Session?.User, bytes) is { } user)
            return user.MaxBy(static each => each.Bytes);
        IGrouping<object, RequestMemory>[] own =
        [
            .. users.Where(each => each.Key == newcomer.Session?.User).SelectMany(static each => each).GroupBy(static each => each.Owner),
        ];
        return Largest(own, newcomer.Owner, bytes)?.MaxBy(static each => each.Bytes);
    }

    // Of groups the largest, if it holds more than the newcomer's would.
    private static IGrouping<TKey, RequestMemory>? Largest<TKey>(IGrouping<TKey, RequestMemory>[] groups, TKey newcomer, long bytes)
    {
        IGrouping<TKey, RequestMemory>? largest = groups.MaxBy(static group => group.Sum(static each => each.Bytes));
        long own = groups.Where(group => Equals(group.Key, newcomer)).SelectMany(static group => group).Sum(static each => each.Bytes);
        return largest is not null && !Equals(largest.Key, newcomer) && largest.Sum(static each => each.Bytes) > own + bytes
            ? largest
            : null;
    }
}
