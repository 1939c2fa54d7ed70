// The locks under which a lane's messages are delivered. Used by one thread, in one method.
namespace Garnet.Server.Messaging;

/// <summary>
/// Holds the lock of a lane until it is disposed and, while a subscriber moves between it and another one, that of the other. Two lanes are
/// locked in the order of their numbers.
/// </summary>
internal readonly ref struct HeldLane
{
    private readonly DeliveryLane _first;
    private readonly DeliveryLane? _second;

    public HeldLane(DeliveryLane lane, DeliveryLane? partner)
    {
        bool isLower = partner is null || lane.OwnerId < partner.OwnerId;
        _first = isLower ? lane : partner!;
        _second = isLower ? partner : lane;
        _first.Gate.Enter();
        _second?.Gate.Enter();
    }

    /// <summary>Releases the locks.</summary>
    public void Dispose()
    {
        _second?.Gate.Exit();
        _first.Gate.Exit();
    }
}
