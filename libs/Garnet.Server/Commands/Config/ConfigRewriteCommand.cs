// CONFIG REWRITE
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Acl;
using Garnet.Server.Configuration;
using Garnet.Server.Modules;

namespace Garnet.Server.Commands.Config;

/// <summary>Writes the current options to the configuration file.</summary>
internal sealed class ConfigRewriteCommand(Users users, ServerConfiguration configuration, ServerModules modules)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "REWRITE",
        Arity = 2,
        Flags = CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Server,
        Since = "2.8.0",
        Tips = ["request_policy:all_nodes", "response_policy:all_succeeded"],
        MakeHandler = static parts =>
            new ConfigRewriteCommand(parts.Get<Users>(), parts.Get<ServerConfiguration>(), parts.Get<ServerModules>()).Execute,
    };

    private void Execute(ref CommandContext context)
    {
        if (!UserLines.TryWrite(users, configuration.Current, out List<string> lines, out string unwritable))
            ArgumentText.WriteError(ref context, "ERR Rewriting config file: " + unwritable);
        else if (configuration.Rewrite(lines, modules.Lines()) is { } problem)
            context.Reply.WriteError("ERR " + problem);
        else
            context.Reply.WriteOk();
    }
}
