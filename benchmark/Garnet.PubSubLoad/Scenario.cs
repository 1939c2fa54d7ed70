// One load: who subscribes to what, who publishes, and how. Immutable.
namespace Garnet.PubSubLoad;

/// <param name="Name">As shown in the table.</param>
/// <param name="Channels">Number of channels; messages go to each in turn.</param>
/// <param name="SubscribersPerChannel">Subscribers of each channel.</param>
/// <param name="ChannelsPerConnection">How many channels one connection subscribes to.</param>
/// <param name="Publishers">Connections that publish; each has its own channels.</param>
/// <param name="PayloadBytes">Bytes of each message.</param>
internal sealed record Scenario(
    string Name,
    int Channels,
    int SubscribersPerChannel,
    int ChannelsPerConnection,
    int Publishers,
    int PayloadBytes
)
{
    private const int Small = 128;

    /// <summary>The loads by name.</summary>
    public static readonly Scenario[] All =
    [
        new("nobody", 1, 0, 1, 1, Small),
        new("one", 1, 1, 1, 1, Small),
        new("fan-100", 1, 100, 1, 1, Small),
        new("fan-1000", 1, 1000, 1, 1, Small),
        new("fan-5000", 1, 5000, 1, 1, Small),
        new("many", 100, 100, 100, 100, Small),
        new("spread", 10_000, 1, 100, 1, Small),
        new("large", 1, 100, 1, 1, 1 << 20),
    ];

    /// <summary>Connections that subscribe.</summary>
    public int Connections => Channels * SubscribersPerChannel / ChannelsPerConnection;
}
