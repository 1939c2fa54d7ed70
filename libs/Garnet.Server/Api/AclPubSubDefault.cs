// The channels of new users. Immutable, any thread.
namespace Garnet;

/// <summary>Which channels of publish and subscribe a new user may use until its rules say otherwise.</summary>
public enum AclPubSubDefault
{
    /// <summary>None.</summary>
    ResetChannels,

    /// <summary>All.</summary>
    AllChannels,
}
