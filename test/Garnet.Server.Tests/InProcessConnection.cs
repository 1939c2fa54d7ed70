// The connection of an in-process client: no network, no thread of its own. Any thread.
using Garnet.Server.Sessions;
using Garnet.Store;

namespace Garnet.Server.Tests;

/// <summary>What a session may ask of its connection, answered for a pipe in the same process.</summary>
internal sealed class InProcessConnection : IClientConnection
{
    private readonly CancellationTokenSource closed = new();

    public string RemoteAddress { get; init; } = "127.0.0.1:50000";

    public string LocalAddress => "127.0.0.1:6379";

    public bool IsUnixSocket => false;

    public bool IsLocal { get; init; } = true;

    public int Handle => -1;

    public CancellationToken Closed => closed.Token;

    public long UnsentBytes { get; set; }

    public bool IsOnOwnerThread => true;

    public void Abort() => closed.Cancel();

    public bool CanReceiveInPlace => false;

    public bool TrySendInPlace(ValueBlock block) => false;

    public ValueTask<long> ReceiveAsync(ValueBlock block, int offset) => throw new NotSupportedException();

    // Never inside the caller, as on a thread of the connection's own.
    public void Post(Action<object?> action, object? state) => ThreadPool.UnsafeQueueUserWorkItem(action, state, preferLocal: false);
}
