// What a session may ask of the connection it serves, beside its bytes. Implemented by the host over its transport.
using Garnet.Store;

namespace Garnet.Server.Sessions;

/// <summary>The connection behind a session. Members may be called from any thread unless they say otherwise.</summary>
public interface IClientConnection
{
    /// <summary>The peer as <c>ip:port</c> (IPv6 in brackets), or <c>path:0</c> for a Unix socket.</summary>
    string RemoteAddress { get; }

    /// <summary>Our end in the same form.</summary>
    string LocalAddress { get; }

    /// <summary>True for a peer on a Unix socket.</summary>
    bool IsUnixSocket { get; }

    /// <summary>True when the peer's address is the loopback address or a Unix socket (protected mode lets it in).</summary>
    bool IsLocal { get; }

    /// <summary>Names of users that the client's certificate holds, in the order to try; the first that exists is logged in.</summary>
    IReadOnlyList<string> CertificateUsers => [];

    /// <summary>The descriptor or handle number for CLIENT LIST; -1 when there is none.</summary>
    int Handle { get; }

    /// <summary>Cancelled when the connection has ended.</summary>
    CancellationToken Closed { get; }

    /// <summary>Reply bytes flushed but not yet taken by the network.</summary>
    long UnsentBytes { get; }

    /// <summary>
    /// Completes when everything flushed is with the network, or the connection is gone; at once where flushing itself waits for the peer.
    /// Owner thread, one waiter at a time.
    /// </summary>
    ValueTask DrainAsync() => ValueTask.CompletedTask;

    /// <summary>Ends the connection without waiting for unsent bytes; the session's pending read completes.</summary>
    void Abort();

    /// <summary>
    /// Queues a block's bytes behind everything written to the pipe so far, to be sent in place with the next flush. The caller's reference
    /// is taken over and given back when the last byte is out or the connection ended. False, with nothing taken, when the transport cannot
    /// send in place.
    /// </summary>
    bool TrySendInPlace(ValueBlock block);

    /// <summary>True when <see cref="ReceiveAsync"/> works on this transport.</summary>
    bool CanReceiveInPlace { get; }

    /// <summary>
    /// Receives the <paramref name="length"/> bytes that follow the last consumed position straight into a block, from
    /// <paramref name="offset"/> on. Completes on the owner thread. Gives the number of bytes received: less than asked for only when the
    /// connection ended.
    /// </summary>
    ValueTask<long> ReceiveAsync(ValueBlock block, int offset, int length);

    /// <summary>Runs an action on the thread that owns the connection, between batches.</summary>
    void Post(Action<object?> action, object? state);

    /// <summary>Number of the thread, or queue, that owns the connection together with others; -1 where none does.</summary>
    int OwnerId => -1;

    /// <summary>True when the caller runs on the thread that owns the connection (always true where no thread does).</summary>
    bool IsOnOwnerThread { get; }
}
