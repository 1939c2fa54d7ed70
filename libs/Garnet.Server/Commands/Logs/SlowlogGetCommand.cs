// SLOWLOG GET [count]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Protocol;
using Garnet.Server.Logs;

namespace Garnet.Server.Commands.Logs;

/// <summary>Replies with the newest entries of the slow log, ten by default.</summary>
internal sealed class SlowlogGetCommand(CommandLogs logs)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "GET",
        Arity = -2,
        Flags = CommandFlags.Admin | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Server,
        Since = "2.2.12",
        Tips = ["request_policy:all_nodes", "nondeterministic_output"],
        MakeHandler = static parts => new SlowlogGetCommand(parts.Get<CommandLogs>()).Execute,
    };

    private void Execute(ref CommandContext context)
    {
        long count = 10;
        if (context.Count > 3)
        {
            ArgumentText.WriteError(
                ref context,
                $"ERR unknown subcommand or wrong number of arguments for '{ArgumentText.Printable(context[1])}'. Try SLOWLOG HELP."
            );
            return;
        }

        if (context.Count == 3 && (!IntegerText.TryParse(context[2], out count) || count < -1))
        {
            context.Reply.WriteError("ERR count should be greater than or equal to -1"u8);
            return;
        }

        logs.Slow.WriteNewest(ref context.Reply, count);
    }
}
