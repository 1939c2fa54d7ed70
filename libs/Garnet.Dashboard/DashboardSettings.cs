// How a dashboard is served. Immutable.
namespace Garnet.Dashboard;

/// <summary>The settings of one dashboard.</summary>
internal sealed record DashboardSettings
{
    /// <summary>Whether the console may change data.</summary>
    public bool AllowsWrites { get; init; }

    /// <summary>Host names under which browsers may ask for the page, besides localhost, addresses and <see cref="AnyHost"/>.</summary>
    public IReadOnlyList<string> Hosts { get; init; } = [];

    /// <summary>Whether every host name is right, as an application checks them by its own rules.</summary>
    public bool AnyHost { get; init; }

    /// <summary>
    /// Whether this is a route of an application, which knows its own ways in: users whom it has authenticated are not strangers.
    /// </summary>
    public bool IsEmbedded { get; init; }
}
