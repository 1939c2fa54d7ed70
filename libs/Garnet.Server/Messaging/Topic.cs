// A channel or pattern with its subscribers, grouped by the lane that delivers to them. Changed under its table's lock together with the
// lane's; counted under the table's lock alone, delivered to under the lane's alone.
namespace Garnet.Server.Messaging;

/// <summary>
/// Exists while it has subscribers. Nearly every topic has all of them on one lane, so the first group needs no array.
/// </summary>
internal class Topic(byte[] name, int hash)
{
    private Group _first;
    private Group[]? _others;

    /// <summary>The channel's name, or the pattern.</summary>
    public byte[] Name { get; } = name;

    /// <summary>The hash under which a table stores it.</summary>
    public int Hash { get; } = hash;

    /// <summary>The next of its table's bucket.</summary>
    public Topic? Next { get; set; }

    /// <summary>All subscribers.</summary>
    public int Count { get; private set; }

    /// <summary>Adds a subscriber, which must not be there yet, to a lane.</summary>
    public void Add(DeliveryLane lane, Subscriber subscriber)
    {
        ref Group group = ref Find(lane);
        if (group.Lane != lane)
            group = ref NewGroup(lane);
        if (group.Members.Add(subscriber))
            Count++;
    }

    /// <summary>Removes a subscriber from a lane; false when it is not there.</summary>
    public bool Remove(DeliveryLane lane, Subscriber subscriber)
    {
        ref Group group = ref Find(lane);
        if (group.Lane != lane || !group.Members.Remove(subscriber))
            return false;
        Count--;
        if (group.Members.Count == 0)
            group.Lane = null;
        return true;
    }

    /// <summary>Whether a lane has this subscriber.</summary>
    public bool Has(DeliveryLane lane, Subscriber subscriber)
    {
        ref Group group = ref Find(lane);
        return group.Lane == lane && group.Members.Contains(subscriber);
    }

    /// <summary>The subscribers of a lane, with nulls among them.</summary>
    public ReadOnlySpan<Subscriber?> On(DeliveryLane lane)
    {
        ref Group group = ref Find(lane);
        return group.Lane == lane ? group.Members.Slots : default;
    }

    /// <summary>The lane of a group, counted from zero; null for a group that is not in use. False after the last group.</summary>
    public bool TryGetLane(int group, out DeliveryLane? lane)
    {
        bool exists = group <= (_others?.Length ?? 0);
        lane =
            !exists ? null
            : group == 0 ? _first.Lane
            : _others![group - 1].Lane;
        return exists;
    }

    // The lane's group, or the first one.
    private ref Group Find(DeliveryLane lane)
    {
        if (_first.Lane != lane && _others is not null)
        {
            foreach (ref Group group in _others.AsSpan())
            {
                if (group.Lane == lane)
                    return ref group;
            }
        }

        return ref _first;
    }

    // Another lane may read its group meanwhile, so groups in use stay where they are, in an array that is replaced as a whole.
    private ref Group NewGroup(DeliveryLane lane)
    {
        int free = -1;
        for (int i = 0; i < _others?.Length && free < 0; i++)
            free = _others[i].Lane is null ? i : -1;
        if (_first.Lane is null)
        {
            _first = new Group { Lane = lane };
            return ref _first;
        }

        if (free < 0)
        {
            free = _others?.Length ?? 0;
            _others = [.. _others ?? [], default];
        }

        _others![free] = new Group { Lane = lane };
        return ref _others[free];
    }

    private struct Group
    {
        public DeliveryLane? Lane;
        public ReferenceSet<Subscriber> Members;
    }
}
