// CONFIG REWRITE
using Garnet.Server.CommandModel;

namespace Garnet.Server.Commands.Config;

/// <summary>Writes the current options to the configuration file.</summary>
internal static class ConfigRewriteCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "REWRITE",
        Arity = 2,
        Flags = CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Server,
        Since = "2.8.0",
        Tips = ["request_policy:all_nodes", "response_policy:all_succeeded"],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (context.Server.Configuration.Rewrite() is { } problem)
            context.Reply.WriteError("ERR " + problem);
        else
            context.Reply.WriteOk();
    }
}
