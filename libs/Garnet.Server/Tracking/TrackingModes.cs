// How a client tracks keys. Immutable.
namespace Garnet.Server.Tracking;

/// <summary>The options of CLIENT TRACKING.</summary>
[Flags]
internal enum TrackingModes : byte
{
    /// <summary>Notified of the keys that it has read.</summary>
    None = 0,

    /// <summary>Notified of all keys that begin with its prefixes (BCAST).</summary>
    Broadcast = 1 << 0,

    /// <summary>Only what is read after CLIENT CACHING YES counts (OPTIN).</summary>
    OptIn = 1 << 1,

    /// <summary>What is read after CLIENT CACHING NO does not count (OPTOUT).</summary>
    OptOut = 1 << 2,

    /// <summary>Not notified of its own changes (NOLOOP).</summary>
    NoLoop = 1 << 3,
}
