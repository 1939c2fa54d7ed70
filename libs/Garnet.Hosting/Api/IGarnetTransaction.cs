// Commands that are executed together. One caller at a time.
using System.Runtime.CompilerServices;
using Garnet.Client;

namespace Garnet;

/// <summary>
/// MULTI and EXEC in the process: commands are queued and executed by <see cref="Commit"/>, all of them before or after any other client's
/// command, never between. Nothing is done before. Disposing one that was not committed discards it; it must be disposed.
/// </summary>
/// <remarks>
/// As in EXEC, a command that fails as it is executed (WRONGTYPE, ...) undoes no other: its reply is an error, to be looked at. One that is
/// refused as it is queued makes the commit fail.
/// </remarks>
public interface IGarnetTransaction : IDisposable
{
    /// <summary>Commands queued.</summary>
    int Count { get; }

    /// <summary>
    /// WATCH: from now on a change of the key by anybody, this process's other calls included, makes <see cref="Commit"/> do nothing. To be
    /// called before it is read, and before the first command is queued.
    /// </summary>
    /// <exception cref="InvalidOperationException">A command was queued already, or the transaction is over.</exception>
    void Watch(ReadOnlySpan<byte> key);

    /// <summary>Queues any command that is not about a connection.</summary>
    /// <exception cref="GarnetCommandException">
    /// There is no such command, it has a wrong number of arguments, or there is no memory for it. Nothing can be committed then.
    /// </exception>
    /// <exception cref="InvalidOperationException">The transaction is over.</exception>
    [OverloadResolutionPriority(1)]
    void Queue(string command, params ReadOnlySpan<string> arguments);

    /// <inheritdoc cref="Queue(string, ReadOnlySpan{string})"/>
    void Queue(string command, params ReadOnlySpan<ReadOnlyMemory<byte>> arguments);

    /// <summary>EXEC: executes what was queued, and ends the transaction.</summary>
    /// <returns>The replies, in the order of the commands; null when a watched key was changed, so that nothing was done.</returns>
    /// <exception cref="GarnetCommandException">
    /// A command was refused as it was queued (EXECABORT), or all are refused now; nothing was done.
    /// </exception>
    /// <exception cref="InvalidOperationException">The transaction is over.</exception>
    IReadOnlyList<RespValue>? Commit();

    /// <summary>
    /// As <see cref="Commit"/>, without holding a thread while it waits. Cancelling ends the wait; what was done stays done.
    /// </summary>
    ValueTask<IReadOnlyList<RespValue>?> CommitAsync(CancellationToken cancellationToken = default);
}
