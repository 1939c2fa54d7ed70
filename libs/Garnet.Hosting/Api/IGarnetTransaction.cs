// Commands that are executed together. One caller at a time.
using System.Runtime.CompilerServices;
using Garnet.Client;

namespace Garnet;

/// <summary>
/// MULTI and EXEC in the process: commands are queued, and executed together by <see cref="Commit"/>, with no other client's command in
/// between. It must be disposed; disposing it without a commit discards the queue.
/// </summary>
/// <remarks>
/// As in EXEC, a command that fails during execution (WRONGTYPE, ...) does not undo the others; its reply is an error. A command that is
/// refused when it is queued makes the commit fail.
/// </remarks>
public interface IGarnetTransaction : IDisposable
{
    /// <summary>Number of commands queued.</summary>
    int Count { get; }

    /// <summary>
    /// WATCH: from now on any change of the key, including one by other calls of this process, makes <see cref="Commit"/> do nothing. Call it
    /// before reading the key, and before queueing the first command.
    /// </summary>
    /// <exception cref="InvalidOperationException">A command was queued already, or the transaction is over.</exception>
    void Watch(ReadOnlySpan<byte> key);

    /// <summary>Queues a command; commands that act on a connection are not supported.</summary>
    /// <exception cref="GarnetCommandException">
    /// There is no such command, it has a wrong number of arguments, or there is not enough memory for it. The transaction then cannot be
    /// committed.
    /// </exception>
    /// <exception cref="InvalidOperationException">The transaction has ended.</exception>
    [OverloadResolutionPriority(1)]
    void Queue(string command, params ReadOnlySpan<string> arguments);

    /// <inheritdoc cref="Queue(string, ReadOnlySpan{string})"/>
    void Queue(string command, params ReadOnlySpan<ReadOnlyMemory<byte>> arguments);

    /// <summary>EXEC: executes what was queued, and ends the transaction.</summary>
    /// <returns>The replies, in the order of the commands; null when a watched key was changed, so that nothing was done.</returns>
    /// <exception cref="GarnetCommandException">
    /// A command was refused when it was queued (EXECABORT), or all are refused now; nothing was executed.
    /// </exception>
    /// <exception cref="InvalidOperationException">The transaction has ended.</exception>
    IReadOnlyList<RespValue>? Commit();

    /// <summary>
    /// As <see cref="Commit"/>, without occupying a thread while it waits. Cancelling ends the wait; what was done stays done.
    /// </summary>
    ValueTask<IReadOnlyList<RespValue>?> CommitAsync(CancellationToken cancellationToken = default);
}
