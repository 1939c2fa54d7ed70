// One entry of ACL LOG. Changed under the log's lock.
using Garnet.Engine.Counters;

namespace Garnet.Server.Acl;

/// <summary>A call or login that was denied, and how often that happened recently.</summary>
internal sealed class DeniedCall
{
    public required long Id { get; init; }

    public required Denial Reason { get; init; }

    /// <summary>Where the command came from.</summary>
    public required DenialContext Context { get; init; }

    /// <summary>The command, key, channel or database, one character per byte.</summary>
    public required string Object { get; init; }

    public required string UserName { get; init; }

    public required long CreatedMs { get; init; }

    public long UpdatedMs { get; set; }

    public long Count { get; set; } = 1;

    /// <summary>The line of CLIENT LIST of the last client.</summary>
    public required string Client { get; set; }

    /// <summary>Whether both are the same denial within a minute, so that they are counted in one entry.</summary>
    public bool IsLike(DeniedCall other) =>
        Reason == other.Reason
        && Context == other.Context
        && Math.Abs(UpdatedMs - other.UpdatedMs) <= 60_000
        && Object == other.Object
        && UserName == other.UserName;
}
