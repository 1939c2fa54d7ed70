// Feature: output that has been written but not yet accepted by the kernel.
namespace Garnet.Network.Features;

/// <summary>
/// Flushing never waits for the peer: what the socket does not accept is queued, and a session compares this count with its output limit.
/// </summary>
internal interface IOutputBacklog
{
    /// <summary>Bytes written (flushed or not) and not yet passed to the kernel. Readable from any thread.</summary>
    long UnsentBytes { get; }

    /// <summary>
    /// Completes on the owner thread when the kernel has accepted everything flushed so far, or the connection is gone. One waiter at a
    /// time.
    /// </summary>
    ValueTask DrainAsync();
}
