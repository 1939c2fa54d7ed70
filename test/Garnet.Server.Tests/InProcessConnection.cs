// The connection of an in-process client: no network, and no thread of its own unless it has an owner. Any thread.
using Garnet.Engine.Clients;
using Garnet.Store;

namespace Garnet.Server.Tests;

/// <summary>The connection services that a session uses, implemented for a pipe in the same process.</summary>
internal sealed class InProcessConnection : IClientConnection
{
    private readonly CancellationTokenSource _closed = new();

    /// <summary>The thread that owns the connection; null for none. The connection moves when it is replaced.</summary>
    public InProcessOwner? Owner { get; set; }

    public string RemoteAddress { get; init; } = "127.0.0.1:50000";

    public string LocalAddress => "127.0.0.1:6379";

    public bool IsUnixSocket => false;

    public bool IsLocal { get; init; } = true;

    public int Handle => -1;

    public CancellationToken Closed => _closed.Token;

    public long UnsentBytes { get; set; }

    /// <summary>Whether the peer has left, which the session has not read yet.</summary>
    public bool HasPeerLeft { get; set; }

    /// <summary>Ends a wait for the network; null when it accepts everything at once.</summary>
    public TaskCompletionSource? Draining { get; set; }

    public int OwnerId => Owner?.Id ?? -1;

    public bool FlushesAtOnce => Owner is not null;

    public bool IsOnOwnerThread => Owner?.IsCurrent ?? true;

    public void Abort() => _closed.Cancel();

    // Each call is a wait of its own.
    public async ValueTask DrainAsync()
    {
        if (Draining is { } draining)
            await draining.Task.ConfigureAwait(false);
    }

    public bool CanReceiveInPlace => false;

    public bool TrySendInPlace(ValueBlock block) => false;

    public ValueTask<long> ReceiveAsync(ValueBlock block, int offset, int length) => throw new NotSupportedException();

    // Never inline in the caller, as with an I/O thread.
    public void Post(Action<object?> action, object? state)
    {
        if (Owner is null)
            ThreadPool.UnsafeQueueUserWorkItem(action, state, preferLocal: false);
        else
            Owner.Post(action, state);
    }
}
