// The transport for Linux: I/O threads on epoll. Thread-safe.
using System.Net;
using System.Runtime.Versioning;
using Garnet.Network.Loops;
using Microsoft.AspNetCore.Connections;
using Microsoft.Extensions.Logging;

namespace Garnet.Network.Epoll;

/// <summary>Listens on TCP and Unix sockets; connections are served by epoll I/O threads, their sessions inline on them.</summary>
[SupportedOSPlatform("linux")]
internal sealed class EpollTransport(TransportOptions options, ILoggerFactory loggers) : LoopTransport(options, loggers)
{
    /// <inheritdoc/>
    public override string Name => "epoll";

    // Starts with one: a second thread costs more than it gains until the first is busy.
    private protected override int AutomaticLoops => 1;

    /// <inheritdoc/>
    public override ValueTask<IConnectionListener> BindAsync(EndPoint endpoint, CancellationToken cancellationToken = default)
    {
        var listening = ListeningSocket.Open(endpoint, Options);
        return ValueTask.FromResult<IConnectionListener>(Register(loop => new EpollListener(this, listening, (EpollThread)loop)));
    }

    private protected override OwnerLoop CreateLoop(int id) => new EpollThread(id, this);
}
