// Feature: the thread that a connection belongs to. Thread-safe.
namespace Garnet.Network.Features;

/// <summary>
/// Every completion of a connection happens on its owner: an I/O thread (epoll), or a serial queue on the thread pool (sockets).
/// What runs there never overlaps with another callback or session of the same owner.
/// </summary>
internal interface IConnectionAffinity
{
    /// <summary>Whether the caller runs on the connection's owner.</summary>
    bool IsOnOwnerThread { get; }

    /// <summary>Number of the owner within its transport.</summary>
    int OwnerId { get; }

    /// <summary>
    /// Runs a callback on the owner, after everything posted to this connection before it, even if the connection moves meanwhile.
    /// Allocates nothing in steady state. The callback must not throw.
    /// </summary>
    /// <returns>False when the connection has been disposed; then the callback never runs.</returns>
    bool Post(Action<object?> callback, object? state);

    /// <summary>
    /// As <see cref="Post"/>; but on the owner itself, once it has nothing else to do, or after a few more rounds of it: for what costs less
    /// when more of it has come together.
    /// </summary>
    bool PostLater(Action<object?> callback, object? state);

    /// <summary>
    /// Lets the owner serve its other connections for one round, while the calling session goes on with something long. On the owner, and
    /// not within such a round.
    /// </summary>
    void ServeOthers();

    /// <summary>
    /// Requests another owner. The move happens when the session next waits for a read; a later request replaces an earlier one.
    /// </summary>
    /// <returns>False when there is no such owner, or the connection has been disposed.</returns>
    bool RequestMove(int ownerId);
}
