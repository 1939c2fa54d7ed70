// The connection of effects that are replayed: there is nobody behind it. One thread.
using Garnet.Server.Sessions;
using Garnet.Store;

namespace Garnet.Server.Persistence;

/// <summary>Answers what a session may ask of a connection, for one without a peer.</summary>
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
        throw new NotSupportedException("Nothing is received while effects are replayed.");

    public void Post(Action<object?> action, object? state) => action(state);
}
