// The commands of a server in this process, without a socket. Implementations are thread-safe.
using System.Runtime.CompilerServices;
using Garnet.Client;

namespace Garnet;

/// <summary>
/// Runs commands on a server in this process: on the calling thread, through the same dispatcher as those of RESP clients, so that
/// atomicity, expiry, WATCH, the append-only log, statistics and errors are the same. An error reply is thrown as
/// <see cref="GarnetCommandException"/>.
/// </summary>
/// <remarks>
/// <para>Any thread may call at any time between the server's start and its stop. While data is being loaded commands are refused with code
/// LOADING.</para>
/// <para>
/// The interface itself only runs commands by name. Commands with typed arguments and results are extension methods over it
/// (<see cref="GarnetStringExtensions"/>, <see cref="GarnetKeyExtensions"/>, <see cref="GarnetHashExtensions"/>), so that other
/// implementations support all of them, and do not break when new ones are added.
/// </para>
/// <para>
/// Every command has a synchronous and an <c>Async</c> form. A call returns at once unless a RESP client would have to wait, too: for
/// space in the buffers of a snapshot or the append-only log, for CLIENT PAUSE, for <c>appendfsync always</c>, or in a blocking command.
/// Then the synchronous form blocks the calling thread; the <c>Async</c> form does not, and its cancellation token ends the wait, without
/// undoing what was done.
/// </para>
/// </remarks>
public interface IGarnet
{
    /// <summary>The logical database in which the commands run.</summary>
    int Database { get; }

    /// <summary>The same server with another logical database.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The server has no such database.</exception>
    IGarnet WithDatabase(int database);

    /// <summary>
    /// Runs any command: <c>Execute("ZADD", "board", "1", "ann")</c>. Replies are those of RESP3; an error is thrown. Commands that act
    /// on a connection (SELECT, SUBSCRIBE, CLIENT, ...) throw <see cref="NotSupportedException"/>; use <see cref="BeginTransaction"/>
    /// instead of MULTI.
    /// </summary>
    [OverloadResolutionPriority(1)]
    RespValue Execute(string command, params ReadOnlySpan<string> arguments);

    /// <summary>As <see cref="Execute(string, ReadOnlySpan{string})"/>, for arguments of any bytes.</summary>
    RespValue Execute(string command, params ReadOnlySpan<ReadOnlyMemory<byte>> arguments);

    /// <summary>
    /// As <see cref="Execute(string, ReadOnlySpan{string})"/>, without occupying a thread while it waits (BLPOP, WAIT, ...). Cancelling ends
    /// a wait; what was done stays done.
    /// </summary>
    ValueTask<RespValue> ExecuteAsync(string command, string[] arguments, CancellationToken cancellationToken = default);

    /// <summary>As <see cref="ExecuteAsync(string, string[], CancellationToken)"/>, for arguments of any bytes.</summary>
    ValueTask<RespValue> ExecuteAsync(string command, ReadOnlyMemory<byte>[] arguments, CancellationToken cancellationToken = default);

    /// <summary>MULTI: collects commands that are to be executed together.</summary>
    IGarnetTransaction BeginTransaction();
}
