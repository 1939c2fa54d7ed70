// The operations of a connection that a session needs, other than its bytes. Implemented by the host for its transport.
using Garnet.Store;
using Garnet.Store.Memory;

namespace Garnet.Engine.Clients;

/// <summary>The connection of a session. Members may be called from any thread unless stated otherwise.</summary>
internal interface IClientConnection
{
    /// <summary>The peer as <c>ip:port</c> (IPv6 in brackets), or <c>path:0</c> for a Unix socket.</summary>
    string RemoteAddress { get; }

    /// <summary>The local address in the same form.</summary>
    string LocalAddress { get; }

    /// <summary>True for a peer on a Unix socket.</summary>
    bool IsUnixSocket { get; }

    /// <summary>True when the peer's address is the loopback address or a Unix socket (accepted in protected mode).</summary>
    bool IsLocal { get; }

    /// <summary>User names in the client's certificate, in the order to try; the first that exists is logged in.</summary>
    IReadOnlyList<string> CertificateUsers => [];

    /// <summary>The descriptor or handle number for CLIENT LIST; -1 when there is none.</summary>
    int Handle { get; }

    /// <summary>Cancelled when the connection has ended.</summary>
    CancellationToken Closed { get; }

    /// <summary>
    /// Whether the peer has closed its sending side, as far as the system can tell now; before the end of the stream is read.
    /// </summary>
    bool HasPeerLeft => Closed.IsCancellationRequested;

    /// <summary>Reply bytes flushed but not yet accepted by the network.</summary>
    long UnsentBytes { get; }

    /// <summary>
    /// Completes when the network has accepted everything flushed, or the connection is gone; at once where flushing itself waits for the
    /// peer. Owner thread, one waiter at a time.
    /// </summary>
    ValueTask DrainAsync() => ValueTask.CompletedTask;

    /// <summary>Ends the connection without waiting for unsent bytes; the session's pending read completes.</summary>
    void Abort();

    /// <summary>
    /// Queues a block's bytes after everything written to the pipe so far, to be sent in place with the next flush. Takes over the caller's
    /// reference and releases it when the last byte is sent or the connection has ended. False, leaving the reference with the caller, when
    /// the transport cannot send in place.
    /// </summary>
    bool TrySendInPlace(ValueBlock block);

    /// <summary>
    /// As for a block of a value: takes over the loan and returns it when the last byte is sent or the connection has ended. False, leaving
    /// the loan with the caller, when the transport cannot send in place.
    /// </summary>
    bool TrySendInPlace(ILentBytes loan) => false;

    /// <summary>True when <see cref="ReceiveAsync"/> works on this transport.</summary>
    bool CanReceiveInPlace { get; }

    /// <summary>
    /// Receives the <paramref name="length"/> bytes after the last consumed position directly into a block, starting at
    /// <paramref name="offset"/>. Completes on the owner thread. Returns the number of bytes received: fewer than requested only when the
    /// connection ended.
    /// </summary>
    ValueTask<long> ReceiveAsync(ValueBlock block, int offset, int length);

    /// <summary>Runs an action on the thread that owns the connection, between batches.</summary>
    void Post(Action<object?> action, object? state);

    /// <summary>
    /// As <see cref="Post"/>, when the thread has nothing else to do, or a little later, if the caller is on it; otherwise at once.
    /// </summary>
    void PostLater(Action<object?> action, object? state) => Post(action, state);

    /// <summary>Number of the thread, or queue, that owns the connection; -1 where there is none.</summary>
    int OwnerId => -1;

    /// <summary>
    /// True when a flush of the pipe on the owner's thread is over when it returns, so that this thread may write at any time between the
    /// session's own writes.
    /// </summary>
    bool FlushesAtOnce => false;

    /// <summary>
    /// Lets the connection's thread serve its other connections for one round, while a command of this one goes on for long; does nothing
    /// where there is no such thread. Not within such a round.
    /// </summary>
    void ServeOthers() { }

    /// <summary>True when the caller runs on the thread that owns the connection (always true if no thread does).</summary>
    bool IsOnOwnerThread { get; }
}
