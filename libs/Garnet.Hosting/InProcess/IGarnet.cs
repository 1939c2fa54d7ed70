// The commands of a server in this process, without a socket. Implementations are thread-safe.
using System.Buffers;
using System.Runtime.CompilerServices;
using Garnet.Client;

namespace Garnet.Hosting.InProcess;

/// <summary>
/// Runs commands on a server of this process: on the caller's thread, through the same dispatcher as those of RESP clients, so that
/// atomicity, expiry, WATCH, the append-only log, statistics and refusals are the same. An error reply is thrown as
/// <see cref="GarnetCommandException"/>.
/// </summary>
/// <remarks>
/// <para>Any thread may call at any time between the server's start and its stop. While data is being loaded commands are refused with code
/// LOADING.</para>
/// <para>
/// A call returns at once, except where a RESP client would have to wait: a snapshot or the append-only log has no room, CLIENT PAUSE,
/// <c>appendfsync always</c>, a blocking command. Then the methods without <c>Async</c> hold the calling thread, and those with it do not.
/// </para>
/// </remarks>
public interface IGarnet
{
    /// <summary>The logical database that the commands are for.</summary>
    int Database { get; }

    /// <summary>The same server with another logical database.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The server has no such database.</exception>
    IGarnet WithDatabase(int database);

    /// <summary>GET: a copy of the string under a key, or null.</summary>
    byte[]? Get(ReadOnlySpan<byte> key);

    /// <summary>
    /// GET into a span: the string's length, or -1 when there is none. Nothing is copied when the destination is shorter than that.
    /// </summary>
    int Get(ReadOnlySpan<byte> key, Span<byte> destination);

    /// <summary>GET into a writer; false when there is no such key.</summary>
    bool TryGet(ReadOnlySpan<byte> key, IBufferWriter<byte> destination);

    /// <summary>
    /// GET without an array: the reader is called once, with the bytes as they were at one moment. Values of 16 KiB and more are read where
    /// they lie, without a copy; they stay unchanged until the reader returns, and nobody waits for it meanwhile. The reader may use this
    /// server.
    /// </summary>
    /// <returns>False, without a call, when there is no such key.</returns>
    bool Read<TState>(ReadOnlySpan<byte> key, TState state, ValueReader<TState> reader)
        where TState : allows ref struct;

    /// <summary>As <see cref="Get(ReadOnlySpan{byte})"/>, without holding a thread while it waits.</summary>
    ValueTask<byte[]?> GetAsync(ReadOnlyMemory<byte> key, CancellationToken cancellationToken = default);

    /// <summary>As <see cref="TryGet"/>, without holding a thread while it waits.</summary>
    ValueTask<bool> TryGetAsync(ReadOnlyMemory<byte> key, IBufferWriter<byte> destination, CancellationToken cancellationToken = default);

    /// <summary>GETEX SLIDING: as <see cref="Get(ReadOnlySpan{byte})"/>, and renews a sliding expiry.</summary>
    byte[]? GetAndRenew(ReadOnlySpan<byte> key);

    /// <summary>GETEX SLIDING: as <see cref="TryGet"/>, and renews a sliding expiry.</summary>
    bool TryGetAndRenew(ReadOnlySpan<byte> key, IBufferWriter<byte> destination);

    /// <summary>As <see cref="GetAndRenew"/>, without holding a thread while it waits.</summary>
    ValueTask<byte[]?> GetAndRenewAsync(ReadOnlyMemory<byte> key, CancellationToken cancellationToken = default);

    /// <summary>As <see cref="TryGetAndRenew"/>, without holding a thread while it waits.</summary>
    ValueTask<bool> TryGetAndRenewAsync(
        ReadOnlyMemory<byte> key,
        IBufferWriter<byte> destination,
        CancellationToken cancellationToken = default
    );

    /// <summary>GETEX SLIDING TOUCH: renews a sliding expiry; false when there is no such key.</summary>
    bool Renew(ReadOnlySpan<byte> key);

    /// <summary>As <see cref="Renew"/>, without holding a thread while it waits.</summary>
    ValueTask<bool> RenewAsync(ReadOnlyMemory<byte> key, CancellationToken cancellationToken = default);

    /// <summary>SET with its options; false when their condition was not met and nothing was changed.</summary>
    bool Set(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value, in SetOptions options = default);

    /// <summary>As <see cref="Set"/>, without holding a thread while it waits.</summary>
    ValueTask<bool> SetAsync(
        ReadOnlyMemory<byte> key,
        ReadOnlyMemory<byte> value,
        SetOptions options = default,
        CancellationToken cancellationToken = default
    );

    /// <summary>
    /// SET IFEQ: sets a key only when it holds just these bytes; false when not. The condition in the options is not looked at.
    /// </summary>
    bool SetIfEqual(ReadOnlySpan<byte> key, ReadOnlySpan<byte> comparand, ReadOnlySpan<byte> value, in SetOptions options = default);

    /// <summary>DEL; false when there was no such key.</summary>
    bool Delete(ReadOnlySpan<byte> key);

    /// <summary>As <see cref="Delete"/>, without holding a thread while it waits.</summary>
    ValueTask<bool> DeleteAsync(ReadOnlyMemory<byte> key, CancellationToken cancellationToken = default);

    /// <summary>EXISTS.</summary>
    bool Exists(ReadOnlySpan<byte> key);

    /// <summary>INCRBY: the new number; a missing key counts as 0.</summary>
    long Increment(ReadOnlySpan<byte> key, long by = 1);

    /// <summary>PEXPIRE; false when there is no such key. A time of zero or less removes the key.</summary>
    bool Expire(ReadOnlySpan<byte> key, TimeSpan after);

    /// <summary>PEXPIREAT; false when there is no such key.</summary>
    bool ExpireAt(ReadOnlySpan<byte> key, DateTimeOffset at);

    /// <summary>PERSIST: removes a key's expiry; false when it had none.</summary>
    bool Persist(ReadOnlySpan<byte> key);

    /// <summary>
    /// PTTL: whether a key exists, and how long it lives on (<see cref="Timeout.InfiniteTimeSpan"/> when it does not expire).
    /// </summary>
    bool TryGetTimeToLive(ReadOnlySpan<byte> key, out TimeSpan timeToLive);

    /// <summary>HGET: a copy of a field of a hash, or null.</summary>
    byte[]? HashGet(ReadOnlySpan<byte> key, ReadOnlySpan<byte> field);

    /// <summary>HSET of one field; true when the field is new.</summary>
    bool HashSet(ReadOnlySpan<byte> key, ReadOnlySpan<byte> field, ReadOnlySpan<byte> value);

    /// <summary>HDEL of one field; false when there was none.</summary>
    bool HashDelete(ReadOnlySpan<byte> key, ReadOnlySpan<byte> field);

    /// <summary>MULTI: collects commands that are to be executed together.</summary>
    IGarnetTransaction BeginTransaction();

    /// <summary>
    /// Runs any command: <c>Execute("ZADD", "board", "1", "ann")</c>. Replies are those of RESP3; an error is thrown. Commands that are
    /// about a connection (SELECT, SUBSCRIBE, CLIENT, ...) are refused, as there is none; for MULTI there is
    /// <see cref="BeginTransaction"/>.
    /// </summary>
    [OverloadResolutionPriority(1)]
    RespValue Execute(string command, params ReadOnlySpan<string> arguments);

    /// <summary>As <see cref="Execute(string, ReadOnlySpan{string})"/>, for arguments of any bytes.</summary>
    RespValue Execute(string command, params ReadOnlySpan<ReadOnlyMemory<byte>> arguments);

    /// <summary>
    /// As <see cref="Execute(string, ReadOnlySpan{string})"/>, without holding a thread while it waits (BLPOP, WAIT, ...). Cancelling ends
    /// a wait; what was done stays done.
    /// </summary>
    ValueTask<RespValue> ExecuteAsync(string command, string[] arguments, CancellationToken cancellationToken = default);

    /// <summary>As <see cref="ExecuteAsync(string, string[], CancellationToken)"/>, for arguments of any bytes.</summary>
    ValueTask<RespValue> ExecuteAsync(string command, ReadOnlyMemory<byte>[] arguments, CancellationToken cancellationToken = default);
}
