// Where a server listens. Immutable, but for the groups, which move.
using System.Net;
using Garnet.Hosting.Kestrel;

namespace Garnet.Hosting;

/// <summary>The endpoints of one server.</summary>
/// <param name="Plain">TCP without TLS, as one group when options decide, and Unix sockets.</param>
/// <param name="Tls">TCP with TLS; may be empty.</param>
/// <param name="Metrics">HTTP for metrics and health.</param>
/// <param name="Dashboard">HTTP for the dashboard.</param>
/// <param name="FollowOptions">Whether the options determine the endpoints and may move them; otherwise the application chose them.</param>
internal sealed record ServerEndPoints(
    IReadOnlyList<EndPoint> Plain,
    EndPointGroup Tls,
    IReadOnlyList<EndPoint> Metrics,
    IReadOnlyList<EndPoint> Dashboard,
    bool FollowOptions
)
{
    /// <summary>What options move of the plain ones; null when nothing.</summary>
    public EndPointGroup? MovablePlain => FollowOptions ? Plain.OfType<EndPointGroup>().FirstOrDefault() : null;

    /// <summary>What options move of those with TLS; null when nothing.</summary>
    public EndPointGroup? MovableTls => FollowOptions ? Tls : null;
}
