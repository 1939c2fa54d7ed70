// Feature: asks the system whether the peer of a connection is still there. Any thread.
namespace Garnet.Network.Features;

/// <summary>For a decision that must not wait until the end of the stream is read.</summary>
internal interface IPeerProbe
{
    /// <summary>
    /// True when the peer has closed its sending side or the connection has ended, even if bytes before that end are still unread, where
    /// the system tells. A peer that left a moment ago may not be known to have left.
    /// </summary>
    bool HasPeerLeft { get; }
}
