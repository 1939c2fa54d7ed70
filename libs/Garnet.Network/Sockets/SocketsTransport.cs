// The portable transport: System.Net.Sockets on the thread pool, connections spread over serial queues. Thread-safe.
using System.Net;
using Garnet.Network.Loops;
using Microsoft.AspNetCore.Connections;
using Microsoft.Extensions.Logging;

namespace Garnet.Network.Sockets;

/// <summary>
/// Listens on TCP and Unix sockets wherever .NET runs. Its owners are serial queues on the thread pool, so the pool's limits apply.
/// </summary>
internal sealed class SocketsTransport(TransportOptions options, ILoggerFactory loggers) : LoopTransport(options, loggers)
{
    private const int MaxAutomaticLoops = 16;

    /// <inheritdoc/>
    public override string Name => "sockets";

    private protected override int AutomaticLoops => Math.Min(Environment.ProcessorCount, MaxAutomaticLoops);

    /// <inheritdoc/>
    public override ValueTask<IConnectionListener> BindAsync(EndPoint endpoint, CancellationToken cancellationToken = default)
    {
        var listening = ListeningSocket.Open(endpoint, Options);
        return ValueTask.FromResult<IConnectionListener>(Register(_ => new SocketsListener(this, listening)));
    }

    private protected override OwnerLoop CreateLoop(int id) => new PoolLoop(id, this);
}
