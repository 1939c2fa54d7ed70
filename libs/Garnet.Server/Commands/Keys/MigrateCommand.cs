// MIGRATE host port key|"" destination-db timeout [COPY] [REPLACE] [AUTH password | AUTH2 username password] [KEYS key [key ...]]
using Garnet.Engine.Clients;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Migration;

namespace Garnet.Server.Commands.Keys;

/// <summary>
/// Moves or copies keys to another server. As in Valkey it is part of a transaction or script, and then all other clients wait until the
/// target has answered or the timeout is over; otherwise no one waits but its own client.
/// </summary>
internal sealed class MigrateCommand(ServerClock clock, TargetConnections targets)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "MIGRATE",
        Arity = -6,
        Flags = CommandFlags.Write | CommandFlags.MovableKeys,
        Group = CommandGroup.Generic,
        Categories = AclCategories.Dangerous | AclCategories.Keyspace,
        Traits = CommandTraits.NeverReplicated,
        Since = "2.6.0",
        IsSecret = MigrateArguments.IsSecret,
        Keys =
        [
            KeySpec.Range(3, 0, 1, KeySpecFlags.RW | KeySpecFlags.Access | KeySpecFlags.Delete),
            KeySpec.KeywordRange("KEYS", -2, -1, 1, KeySpecFlags.RW | KeySpecFlags.Access | KeySpecFlags.Delete | KeySpecFlags.Incomplete),
        ],
        FindKeys = MigrateArguments.FindKeys,
        Tips = ["nondeterministic_output"],
        MakeHandler = static parts => new MigrateCommand(parts.Get<ServerClock>(), parts.Get<TargetConnections>()).Execute,
    };

    private void Execute(ref CommandContext context)
    {
        if (context.Client.Origin.IsReplay)
        {
            // Its effect is DEL: no log and no primary contains the command itself.
            context.Reply.WriteError("ERR MIGRATE cannot be replayed"u8);
            return;
        }

        if (MigrateArguments.TryParse(ref context) is not { } arguments)
            return;
        if (context.MayBlock)
            context.Suspend(new PendingMigration(ref context, arguments, targets, clock));
        else
            RunAlone(ref context, arguments);
    }

    // The thread waits for the target: nothing else may run before the transaction or script is over.
    private void RunAlone(ref CommandContext context, MigrateArguments arguments)
    {
        using TargetPatience patience = new(arguments.TimeoutMs, clock.Time, context.Client.Connection.Closed, isForAll: true);
        KeyTransfer transfer = new(arguments, isAlone: true);
        TargetLink link = new(targets, arguments, patience);
        int removed = 0;
        transfer.Collect(ref context);
        while (transfer.Round.Count > 0)
        {
            Task.Run(() => link.ExchangeAsync(transfer)).GetAwaiter().GetResult();
            removed += transfer.Remove(ref context);
            transfer.Unwatch(context.Store);
            if (!transfer.HasFailed)
                transfer.Collect(ref context);
        }

        link.End(transfer.HasFailed);
        context.CountChanges(removed);
        transfer.WriteReply(ref context.Reply);
    }
}
