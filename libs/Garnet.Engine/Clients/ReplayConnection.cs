// The connection of replayed effects, and of a primary's stream, without a client that could be answered. One thread.
using Garnet.Store;

namespace Garnet.Engine.Clients;

/// <summary>Implements a session's connection without a peer.</summary>
/// <param name="peer">The peer's address.</param>
internal sealed class ReplayConnection(string peer = ReplayConnection.NoPeer) : IClientConnection
{
    private const string NoPeer = "?:0";

    public string RemoteAddress => peer;

    public string LocalAddress => NoPeer;

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
