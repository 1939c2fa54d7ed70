// A MIGRATE that waits for its target. Its task runs on the thread pool and uses the client's store session, which its own thread leaves
// alone meanwhile.
using System.Text;
using Garnet.Engine.Clients;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Engine.Rules;
using Garnet.Protocol;

namespace Garnet.Server.Migration;

/// <summary>
/// Each step on the store is a batch of its own, admitted like a command: it waits for a pause or a snapshot, and deletes nothing when the
/// server has become a replica. Nothing is latched while the target works.
/// </summary>
internal sealed class PendingMigration : PendingReply
{
    private static readonly TimeSpan GuestPause = TimeSpan.FromMilliseconds(20);

    private readonly ClientSession _client;
    private readonly TargetConnections _targets;
    private readonly ServerClock _clock;
    private readonly Command _command;
    private readonly MigrateArguments _arguments;
    private readonly HeldArguments _held;
    private readonly ArgumentRange[] _ranges;
    private readonly KeyTransfer _transfer;
    private readonly ReplyBuffer _rejection = new();
    private Task? _run;

    public PendingMigration(ref CommandContext context, MigrateArguments arguments, TargetConnections targets, ServerClock clock)
    {
        _client = context.Client;
        _targets = targets;
        _clock = clock;
        _command = context.Command;
        _arguments = arguments;
        _ranges = new ArgumentRange[context.Count];
        _held = context.TakeArguments(_ranges);
        _transfer = new KeyTransfer(arguments, isAlone: false);
    }

    /// <inheritdoc/>
    public override Task WaitAsync(CancellationToken connectionClosed) =>
        _run = Task.Run(() => RunAsync(connectionClosed), CancellationToken.None);

    /// <inheritdoc/>
    public override async Task AbandonAsync()
    {
        if (_run is { } run)
            await run.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        else
            Release();
    }

    /// <inheritdoc/>
    public override void WriteReply(ref RespWriter reply) => _transfer.WriteReply(ref reply);

    private async Task RunAsync(CancellationToken closed)
    {
        using TargetPatience patience = new(_arguments.TimeoutMs, _clock.Time, closed, isForAll: false);
        TargetLink link = new(_targets, _arguments, patience);
        patience.Suspend();
        try
        {
            // A key that has arrived is deleted even if the next one fails.
            while (
                !_transfer.HasFailed && await StepAsync(_transfer.Collect, "", closed).ConfigureAwait(false) && _transfer.Round.Count > 0
            )
            {
                await link.ExchangeAsync(_transfer).ConfigureAwait(false);
                await StepAsync(Remove, "IOERR the keys were transferred and not deleted: ", closed).ConfigureAwait(false);
            }
        }
        finally
        {
            link.End(_transfer.HasFailed);
            _transfer.Unwatch(_client.Store);
            Release();
        }

        closed.ThrowIfCancellationRequested();
    }

    private void Remove(ref CommandContext context) => context.CountChanges(_transfer.Remove(ref context));

    private async ValueTask<bool> StepAsync(CommandHandler step, string errorPrefix, CancellationToken closed)
    {
        while (TryStep(step, errorPrefix) is { } wait)
        {
            // Nothing is waited for on behalf of a client that is gone.
            await wait.WaitAsync(closed).ConfigureAwait(false);
            closed.ThrowIfCancellationRequested();
        }

        return !_transfer.HasFailed;
    }

    // Null when the step is done, else what it has to wait for first.
    private Task? TryStep(CommandHandler step, string errorPrefix)
    {
        if (Attempt(step, errorPrefix) is { } wait)
            return wait;
        _client.Executor.Blocked.Serve();
        return null;
    }

    private Task? Attempt(CommandHandler step, string errorPrefix)
    {
        ThreadScratch thread = _client.Executor.Threads.Current;
        _rejection.Clear();
        RespWriter reply = new(_rejection, _client.ProtocolVersion) { ErrorObserver = thread.Counters.Errors };
        using Batch batch = _client.Executor.Enter(_client, thread, reply);
        ref CommandContext context = ref batch.Context;
        context.SetOrigin(Origin.Migration);
        context.Load([], _ranges, _held);
        // A slow script holds the keyspace.
        if (_client.Store.Barrier.IsGuest)
        {
            batch.Complete();
            return Task.Delay(GuestPause, _clock.Time);
        }

        batch.Begin(1);
        Admission admission = batch.ExecuteStep(_command, step);
        batch.Complete();
        if (admission == Admission.Wait)
            return _client.Wait.Before;
        if (admission != Admission.Run)
        {
            batch.Flush();
            _transfer.Fail(errorPrefix + Encoding.Latin1.GetString(_rejection.Written[1..^2]));
        }

        return null;
    }

    private void Release()
    {
        _rejection.Dispose();
        _held.Release();
    }
}
