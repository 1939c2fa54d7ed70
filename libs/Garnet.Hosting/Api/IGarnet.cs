// The commands of a server in this process, without a socket. Implementations are thread-safe.
using System.Runtime.CompilerServices;
using Garnet.Client;

namespace Garnet;

/// <summary>
/// Runs commands on a server of this process: on the caller's thread, through the same dispatcher as those of RESP clients, so that
/// atomicity, expiry, WATCH, the append-only log, statistics and refusals are the same. An error reply is thrown as
/// <see cref="GarnetCommandException"/>.
/// </summary>
/// <remarks>
/// <para>Any thread may call at any time between the server's start and its stop. While data is being loaded commands are refused with code
/// LOADING.</para>
/// <para>
/// The interface is the core: any command by its name. Commands with typed arguments and results are extension methods over it
/// (<see cref="GarnetStringExtensions"/>, <see cref="GarnetKeyExtensions"/>, <see cref="GarnetHashExtensions"/>), so that another
/// implementation has all of them, and a new one breaks none.
/// </para>
/// <para>
/// Every command has two forms. A call returns at once, except where a RESP client would have to wait: a snapshot or the append-only log
/// has no room, CLIENT PAUSE, <c>appendfsync always</c>, a blocking command. Then the form without <c>Async</c> holds the calling thread;
/// the form with it does not, and its cancellation token ends the wait. What was done before stays done.
/// </para>
/// </remarks>
public interface IGarnet
{
    /// <summary>The logical database that the commands are for.</summary>
    int Database { get; }

    /// <summary>The same server with another logical database.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The server has no such database.</exception>
    IGarnet WithDatabase(int database);

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

    /// <summary>MULTI: collects commands that are to be executed together.</summary>
    IGarnetTransaction BeginTransaction();
}
