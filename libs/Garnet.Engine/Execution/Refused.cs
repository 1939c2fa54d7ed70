// What follows from a refusal. Runs on the caller's thread, inside its batch.
using Garnet.Engine.Rules;

namespace Garnet.Engine.Execution;

/// <summary>Writes the errors of requests that are not run, counts them and aborts open transactions.</summary>
internal static class Refused
{
    /// <summary>
    /// Replies with the error, counts it, and aborts an open transaction; remembers the refusal for origins that tell it otherwise.
    /// </summary>
    public static void Reply(ref CommandContext context, Command? command, Refusal refusal)
    {
        context.Refusal = refusal;
        context.Client.Wait.ForgetAttempts();
        if (command is not null)
            context.Scratch.Counters.Rejected[command.Id]++;
        CommandObservers observers = context.Client.Executor.Observers;
        if (observers.Present is not 0 and var told)
            observers.Refused(ref context, command, told);
        ReadOnlySpan<byte> error = RefusalText.Of(ref context, command, refusal);
        if (command is { IsExec: true })
        {
            AbortTransaction(ref context, command, error);
            return;
        }

        context.Reply.WriteError(error);
        // What a primary sends besides what it may replicate does not undo the rest.
        if (!context.Origin.IsReplay)
            context.Client.Transactions.Open?.Break();
    }

    // A refused EXEC ends the transaction.
    private static void AbortTransaction(ref CommandContext context, Command exec, scoped ReadOnlySpan<byte> error)
    {
        context.Client.Transactions.Reset();
        byte[] reason = [.. "EXECABORT Transaction discarded because of: "u8, .. error.StartsWith("ERR "u8) ? error[4..] : error];
        context.Reply.WriteError(reason);
        context.Command = exec;
        CommandObservers observers = context.Client.Executor.Observers;
        if (observers.Present is not 0 and var told)
            observers.Aborted(ref context, told);
    }
}
