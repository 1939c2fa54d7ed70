// Feature: what has been written but not yet taken by the kernel.
namespace Garnet.Network.Features;

/// <summary>
/// Flushing never waits for the peer: what the socket does not take is kept, and a session compares this count with its output limit.
/// </summary>
public interface IOutputBacklog
{
    /// <summary>Bytes written (flushed or not) and not yet given to the kernel. Readable from any thread.</summary>
    long UnsentBytes { get; }

    /// <summary>
    /// Completes on the owner thread when everything flushed so far is with the kernel, or the connection is gone. One waiter at a time.
    /// </summary>
    ValueTask DrainAsync();
}
