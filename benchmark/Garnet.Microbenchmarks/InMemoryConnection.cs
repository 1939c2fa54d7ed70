// The connection of a session without a socket. Everything runs on the benchmark's thread.
using Garnet.Engine.Clients;
using Garnet.Store;

namespace Garnet.Microbenchmarks;

/// <summary>A connection that is always local, never slow and owned by no thread.</summary>
internal sealed class InMemoryConnection : IClientConnection
{
    /// <inheritdoc/>
    public string RemoteAddress => "127.0.0.1:0";

    /// <inheritdoc/>
    public string LocalAddress => "127.0.0.1:0";

    /// <inheritdoc/>
    public bool IsUnixSocket => false;

    /// <inheritdoc/>
    public bool IsLocal => true;

    /// <inheritdoc/>
    public int Handle => -1;

    /// <inheritdoc/>
    public CancellationToken Closed => CancellationToken.None;

    /// <inheritdoc/>
    public long UnsentBytes => 0;

    /// <inheritdoc/>
    public bool IsOnOwnerThread => true;

    /// <inheritdoc/>
    public void Abort() { }

    /// <inheritdoc/>
    public bool CanReceiveInPlace => false;

    /// <inheritdoc/>
    public bool TrySendInPlace(ValueBlock block) => false;

    /// <inheritdoc/>
    public ValueTask<long> ReceiveAsync(ValueBlock block, int offset, int length) => throw new NotSupportedException();

    /// <inheritdoc/>
    public void Post(Action<object?> action, object? state) => action(state);
}
