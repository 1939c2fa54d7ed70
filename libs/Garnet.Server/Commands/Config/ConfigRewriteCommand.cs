// CONFIG REWRITE
using Garnet.Server.Acl;
using Garnet.Server.CommandModel;
using Garnet.Server.Sessions;

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
        RespServer server = context.Server;
        if (!UserLines.TryWrite(server.Users, server.Configuration.Current, out List<string> users, out string unwritable))
            ArgumentText.WriteError(ref context, "ERR Rewriting config file: " + unwritable);
        else if (server.Configuration.Rewrite(users, server.Modules.Lines()) is { } problem)
            context.Reply.WriteError("ERR " + problem);
        else
            context.Reply.WriteOk();
    }
}
