// The operations of both transports other than listening. Thread-safe.
using Microsoft.AspNetCore.Connections;

namespace Garnet.Network;

/// <summary>A source of connections whose sessions run on a few owner threads. Disposing it aborts remaining connections.</summary>
internal interface ITransport : IConnectionListenerFactory, IAsyncDisposable
{
    /// <summary>Short name as in the option <c>transport</c>: "epoll" or "sockets".</summary>
    string Name { get; }

    /// <summary>Owner threads now running (retiring ones excluded).</summary>
    int IoThreads { get; }

    /// <summary>
    /// Changes the number of owner threads while connections are open; these move between their batches. 0 leaves the number to the
    /// transport.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">The count is negative or above 1024.</exception>
    void SetIoThreads(int count);

    /// <summary>Sets the seconds of tcp-keepalive for connections accepted from now on.</summary>
    void SetTcpKeepAlive(int seconds);

    /// <summary>
    /// Counters of every running owner thread. They are read without stopping the threads: each is exact, but they are not from one
    /// instant.
    /// </summary>
    IReadOnlyList<IoThreadStatistics> Statistics { get; }

    /// <summary>
    /// Native memory of connections: receive buffers, unfinished requests, unsent replies, and blocks kept for reuse. Excludes referenced
    /// blocks, which belong to their owners.
    /// </summary>
    long AllocatedBytes { get; }
}
