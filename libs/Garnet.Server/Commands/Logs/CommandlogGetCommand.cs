// COMMANDLOG GET count type
using Garnet.Protocol;
using Garnet.Server.CommandModel;

namespace Garnet.Server.Commands.Logs;

/// <summary>Replies with the newest entries of a log.</summary>
internal static class CommandlogGetCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "GET",
        Arity = 4,
        Flags = CommandFlags.Admin | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Server,
        Since = "8.1.0",
        Tips = ["request_policy:all_nodes", "nondeterministic_output"],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (!IntegerText.TryParse(context[2], out long count) || count < -1)
            context.Reply.WriteError("ERR count should be greater than or equal to -1"u8);
        else if (CommandlogType.Find(ref context, 3) is { } log)
            log.WriteNewest(ref context.Reply, count);
    }
}
