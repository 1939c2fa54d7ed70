// What a session asks of a connection, answered for a caller in the same process. Used by the session's caller, one at a time.
using Garnet.Engine.Clients;
using Garnet.Store;

namespace Garnet.Hosting.InProcess;

/// <summary>
/// A connection without a peer. A large value of a reply is kept by reference instead of being copied, when the caller wants that.
/// </summary>
internal sealed class InProcessConnection(CancellationToken closed) : IClientConnection
{
    private ValueBlock _block;

    /// <summary>Whether the next large value is kept by reference.</summary>
    public bool KeepsBlock { get; set; }

    /// <summary>Whether a large value is kept.</summary>
    public bool HasBlock { get; private set; }

    public string RemoteAddress => "in-process:0";

    public string LocalAddress => "in-process:0";

    public bool IsUnixSocket => false;

    public bool IsLocal => true;

    public int Handle => -1;

    public CancellationToken Closed => closed;

    public long UnsentBytes => 0;

    public bool CanReceiveInPlace => false;

    public bool IsOnOwnerThread => true;

    /// <summary>The kept value's bytes.</summary>
    public ReadOnlySpan<byte> Block => _block.Span;

    public bool TrySendInPlace(ValueBlock block)
    {
        if (!KeepsBlock || HasBlock)
            return false;
        _block = block;
        HasBlock = true;
        return true;
    }

    /// <summary>Gives the kept value back.</summary>
    public void ReleaseBlock()
    {
        if (HasBlock)
            _block.Release();
        _block = default;
        HasBlock = false;
    }

    public void Abort()
    {
        // There is nothing to end: the session is given up by its pool when something fails.
    }

    public ValueTask<long> ReceiveAsync(ValueBlock block, int offset, int length) =>
        throw new NotSupportedException("Arguments are handed over as they are.");

    public void Post(Action<object?> action, object? state) => ThreadPool.UnsafeQueueUserWorkItem(action, state, preferLocal: false);
}
