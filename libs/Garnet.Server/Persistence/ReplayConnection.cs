// The connection of replayed effects, without a client. One thread.
using Garnet.Server.Sessions;
using Garnet.Store;

namespace Garnet.Server.Persistence;

/// <summary>Implements a session's connection without a peer.</summary>
internal sealed class ReplayConnection : IClientConnection
{
    public string RemoteAddress => "replay:0";

    public string LocalAddress => "replay:0";

    public bool IsUnixSocket => false;

    public bool IsLocal => true;

    public int Handle => -1;

    public CancellationToken Closed => CancellationToken.None;

    public long UnsentBytes => 0;

    public bool CanReceiveInPlace => false;

    public bool IsOnOwnerThread => true;

    public void Abort() { }

    public bool TrySendInPlace(ValueBlock block) => false;

    public ValueTask<long> ReceiveAsync(ValueBlock block, int offset, int length) =>
        throw new NotSupportedException("No data is received during replay.");

    public void Post(Action<object?> action, object? state) => action(state);
}
