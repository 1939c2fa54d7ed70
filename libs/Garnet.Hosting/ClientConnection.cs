// A transport's connection as a session sees it. Any thread, as the transport's features allow.
using System.Net;
using System.Net.Sockets;
using Garnet.Engine.Clients;
using Garnet.Network.Features;
using Garnet.Store;
using Garnet.Store.Memory;
using Microsoft.AspNetCore.Connections;

namespace Garnet.Hosting;

/// <summary>
/// Offers what the server asks of a connection. Our transports bring an owner thread and a count of unsent bytes as features; on a
/// transport that has neither, everything runs on the thread pool and nothing counts as unsent, as flushing waits for the peer there.
/// </summary>
/// <param name="context">The connection.</param>
/// <param name="blocks">Releases large values that were sent.</param>
/// <param name="certificateUsers">User names in the client's certificate.</param>
/// <param name="mayBeLocal">Whether a peer with an address of this machine is trusted as one of its processes.</param>
internal sealed class ClientConnection(
    ConnectionContext context,
    BlockSendOwner blocks,
    IReadOnlyList<string>? certificateUsers = null,
    bool mayBeLocal = true
) : IClientConnection
{
    private readonly IReferencedSend? _referencedSend = context.Features.Get<IReferencedSend>();
    private readonly IDirectReceive? _directReceive = context.Features.Get<IDirectReceive>();
    private readonly IConnectionAffinity? _affinity = context.Features.Get<IConnectionAffinity>();
    private readonly IConnectionHandle? _handle = context.Features.Get<IConnectionHandle>();
    private readonly IPeerProbe? _probe = context.Features.Get<IPeerProbe>();
    private readonly IOutputBacklog? _backlog = context.Features.Get<IOutputBacklog>();

    public string RemoteAddress => Text(context.RemoteEndPoint);

    public string LocalAddress => Text(context.LocalEndPoint);

    public bool IsUnixSocket => context.LocalEndPoint is UnixDomainSocketEndPoint;

    public bool IsLocal =>
        mayBeLocal && (IsUnixSocket || (context.RemoteEndPoint is IPEndPoint remote && IPAddress.IsLoopback(remote.Address)));

    public IReadOnlyList<string> CertificateUsers { get; } = certificateUsers ?? [];

    public int Handle => _handle?.Handle ?? -1;

    public CancellationToken Closed => context.ConnectionClosed;

    public bool HasPeerLeft => _probe?.HasPeerLeft ?? Closed.IsCancellationRequested;

    public long UnsentBytes => _backlog?.UnsentBytes ?? 0;

    public ValueTask DrainAsync() => _backlog?.DrainAsync() ?? ValueTask.CompletedTask;

    public int OwnerId => _affinity?.OwnerId ?? -1;

    public bool IsOnOwnerThread => _affinity?.IsOnOwnerThread ?? true;

    public void ServeOthers()
    {
        if (_affinity is { IsOnOwnerThread: true })
            _affinity.ServeOthers();
    }

    // TLS encrypts first, and may wait for its own exchange.
    public bool FlushesAtOnce => _affinity is not null && ReferenceEquals(context.Transport.Output, _backlog);

    public void Abort() => context.Abort();

    public bool CanReceiveInPlace => _directReceive is not null;

    public bool TrySendInPlace(ValueBlock block)
    {
        if (_referencedSend is null)
            return false;
        _referencedSend.SendReferenced(block.Address, block.Length, blocks, block.Token);
        return true;
    }

    public bool TrySendInPlace(ILentBytes loan)
    {
        if (_referencedSend is null)
            return false;
        _referencedSend.SendReferenced(loan.Address, loan.Length, new LoanSendOwner(loan), token: 0);
        return true;
    }

    public ValueTask<long> ReceiveAsync(ValueBlock block, int offset, int length) =>
        _directReceive!.ReceiveAsync(block.Address + offset, length);

    public void Post(Action<object?> action, object? state)
    {
        // A closed connection no longer has a thread; callers that wait for it must still be released.
        if (_affinity is null || !_affinity.Post(action, state))
            ThreadPool.UnsafeQueueUserWorkItem(action, state, preferLocal: false);
    }

    public void PostLater(Action<object?> action, object? state)
    {
        if (_affinity is null || !_affinity.PostLater(action, state))
            ThreadPool.UnsafeQueueUserWorkItem(action, state, preferLocal: false);
    }

    private string Text(EndPoint? endpoint) =>
        endpoint switch
        {
            IPEndPoint { Address.IsIPv4MappedToIPv6: true } ip => new IPEndPoint(ip.Address.MapToIPv4(), ip.Port).ToString(),
            IPEndPoint ip => ip.ToString(),
            // The peer of a Unix socket has no name; both ends are identified by the socket's path.
            _ => $"{context.LocalEndPoint}:0",
        };
}
