// The states of the link to a primary. Immutable.
namespace Garnet.Server.Replication;

/// <summary>How far the connection to the primary is; ROLE shows it.</summary>
internal enum PrimaryLinkState
{
    /// <summary>There is no connection; another attempt follows.</summary>
    Connect,

    /// <summary>A connection is being opened.</summary>
    Connecting,

    /// <summary>The servers introduce themselves.</summary>
    Handshake,

    /// <summary>The primary's data is being received.</summary>
    Sync,

    /// <summary>The primary's stream is being applied.</summary>
    Connected,
}
