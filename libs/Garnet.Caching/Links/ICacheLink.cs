// How the instances of a cache reach their server and each other. Implementations are thread-safe.
using Garnet.Client;

namespace Garnet.Caching.Links;

/// <summary>Commands on the server, and messages on the channels that were given when the link was made.</summary>
/// <remarks>
/// A link opens itself at a call. When it breaks, messages may be lost: <see cref="Losses"/> is counted up and <see cref="Lost"/> raised
/// before a call succeeds again.
/// </remarks>
internal interface ICacheLink : IAsyncDisposable
{
    /// <summary>The server, if it is in this process.</summary>
    IGarnet? Here { get; }

    /// <summary>How often the link has broken.</summary>
    int Losses { get; }

    /// <summary>Receives each message's payload; called on the thread that reads, so it must not wait. Set before the first call.</summary>
    Action<ReadOnlyMemory<byte>>? Received { get; set; }

    /// <summary>The link has broken. Set before the first call.</summary>
    Action? Lost { get; set; }

    /// <summary>Makes sure that messages are received from here on, if calls alone do not.</summary>
    void Subscribe();

    /// <summary>Calls a command.</summary>
    /// <exception cref="GarnetCommandException">The reply is an error.</exception>
    /// <exception cref="RespConnectionException">There is no connection, or it was lost.</exception>
    /// <exception cref="TimeoutException">No reply arrived in time.</exception>
    ValueTask<RespValue> CallAsync(string command, ReadOnlyMemory<byte>[] arguments, CancellationToken cancellationToken = default);

    /// <summary>
    /// Calls commands in their order, which go to the server together: others' may come between. An error is thrown when all have run.
    /// </summary>
    /// <inheritdoc cref="CallAsync"/>
    ValueTask<RespValue[]> CallAllAsync(CacheCommand[] commands, CancellationToken cancellationToken = default);

    /// <summary>As <see cref="CallAsync"/>, on this thread; null when that would be to wait for a connection.</summary>
    RespValue? CallHere(string command, ReadOnlyMemory<byte>[] arguments);

    /// <summary>The string under a key and the milliseconds that are left of it, which are those of before it was read.</summary>
    /// <param name="key">The key.</param>
    /// <param name="withTime">False when they are not needed, which saves asking: a string then counts as one without an expiry.</param>
    ValueTask<StoredBytes> ReadAsync(ReadOnlyMemory<byte> key, bool withTime);

    /// <summary>As <see cref="ReadAsync"/>, with their times, for several keys in one round trip.</summary>
    ValueTask<StoredBytes[]> ReadManyAsync(ReadOnlyMemory<byte>[] keys);
}
