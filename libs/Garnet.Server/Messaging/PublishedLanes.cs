// The lanes to which a batch of commands has added messages. One for each thread, which uses it.
using Garnet.Engine.Execution;
using Garnet.Engine.Rules;

namespace Garnet.Server.Messaging;

/// <summary>
/// They are announced once, at the end of the batch, so that a pipeline of messages wakes another thread only once, and the publisher gets
/// its replies first.
/// </summary>
internal sealed class PublishedLanes(ThreadScratch thread) : IBatchEnd
{
    /// <summary>Those of a thread.</summary>
    public static readonly ThreadSlot<PublishedLanes> OfThread = new(static thread => new PublishedLanes(thread));

    private readonly List<DeliveryLane> _lanes = [];
    private bool _isEntered;

    /// <summary>Patterns that match the channel of one message; scratch memory.</summary>
    public List<Topic> Matches { get; } = [];

    /// <summary>Adds a lane, if it is not there yet.</summary>
    public void Add(DeliveryLane lane)
    {
        if (!_lanes.Contains(lane))
            _lanes.Add(lane);
        if (_isEntered)
            return;
        _isEntered = true;
        thread.Batches.AtEnd(this);
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

    /// <summary>The message goes to the client that sent it.</summary>
    public void MarkReachesSelf() => thread.Batches.ReachesSelf = true;

    /// <inheritdoc/>
    public void OnBatchEnd()
    {
        _isEntered = false;
        Announce();
    }
}
