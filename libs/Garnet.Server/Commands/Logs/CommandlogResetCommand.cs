// COMMANDLOG RESET type
using Garnet.Server.CommandModel;

namespace Garnet.Server.Commands.Logs;

/// <summary>Empties a log.</summary>
internal static class CommandlogResetCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "RESET",
        Arity = 3,
        Flags = CommandFlags.Admin | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Server,
        Since = "8.1.0",
        Tips = ["request_policy:all_nodes", "response_policy:all_succeeded"],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (CommandlogType.Find(ref context, 2) is not { } log)
            return;
        log.Clear();
        context.Reply.WriteOk();
    }
}
