// The lanes to which a batch of commands has added messages. One for each batch context; used by its thread.
namespace Garnet.Server.Messaging;

/// <summary>
/// They are announced once, at the end of the batch, so that a pipeline of messages wakes another thread only once, and the publisher gets
/// its replies first.
/// </summary>
internal sealed class PublishedLanes
{
    private readonly List<DeliveryLane> _lanes = [];

    /// <summary>Patterns that match the channel of one message; scratch memory.</summary>
    public List<Topic> Matches { get; } = [];

    /// <summary>Whether a message since the last <see cref="TakeReachesSelf"/> goes to the client that sent it.</summary>
    public bool ReachesSelf { get; set; }

    /// <summary>Adds a lane, if it is not there yet.</summary>
    public void Add(DeliveryLane lane)
    {
        if (!_lanes.Contains(lane))
            _lanes.Add(lane);
    }

    /// <summary>Tells the threads to deliver.</summary>
    public void Announce()
    {
        if (_lanes.Count == 0)
            return;
        foreach (DeliveryLane lane in _lanes)
            lane.Announce();
        _lanes.Clear();
    }

    /// <summary>Returns and clears <see cref="ReachesSelf"/>.</summary>
    public bool TakeReachesSelf()
    {
        bool reaches = ReachesSelf;
        ReachesSelf = false;
        return reaches;
    }
}
