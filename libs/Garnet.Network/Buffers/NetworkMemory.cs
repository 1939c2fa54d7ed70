// What the transports of this process hold in native memory. Thread-safe.
namespace Garnet.Network;

/// <summary>Native memory of connections: receive buffers, unfinished requests, unsent replies, and what is kept for reuse.</summary>
public static class NetworkMemory
{
    /// <summary>Bytes allocated now. Referenced blocks are not in it: they are their owners'.</summary>
    public static long AllocatedBytes => BlockPool.AllocatedBytes;
}
