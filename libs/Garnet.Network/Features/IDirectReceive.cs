// Feature: receiving into the caller's memory. Used by a connection's session, never together with a pending read.
namespace Garnet.Network.Features;

/// <summary>Receives the next bytes of the stream straight into their final place.</summary>
internal interface IDirectReceive
{
    /// <summary>
    /// Fills the destination with the bytes after the last position passed to AdvanceTo; bytes already received are copied, the rest is
    /// received in place. Memory is written from the front only as bytes arrive, so reserved address space is committed no faster than the
    /// peer sends. Call it after AdvanceTo and while no read is pending. It completes on the owner thread.
    /// </summary>
    /// <param name="destination">First byte; must stay valid until completion.</param>
    /// <param name="length">Bytes wanted; at least 1.</param>
    /// <returns>The bytes received: <paramref name="length"/>, or fewer when the connection ended first.</returns>
    ValueTask<long> ReceiveAsync(nint destination, long length);
}
