// ACL CAT [category]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Acl;
using Garnet.Server.Modules;

namespace Garnet.Server.Commands.Acl;

/// <summary>Lists the categories, or the commands of one.</summary>
internal sealed class AclCatCommand(ServerModules modules, CommandTable commands)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "CAT",
        Arity = -2,
        Flags = CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Server,
        Since = "6.0.0",
        MakeHandler = static parts => new AclCatCommand(parts.Get<ServerModules>(), parts.Get<CommandTable>()).Execute,
    };

    private void Execute(ref CommandContext context)
    {
        if (context.Count > 3)
        {
            ArgumentText.WriteError(
                ref context,
                $"ERR unknown subcommand or wrong number of arguments for '{ArgumentText.Printable(context[1])}'. Try ACL HELP."
            );
            return;
        }

        if (context.Count == 2)
        {
            AclCategories[] all = Enum.GetValues<AclCategories>();
            IReadOnlyList<LoadedModule> loaded = modules.All;
            context.Reply.WriteArray(all.Length - 1 + loaded.Count);
            foreach (AclCategories each in all.AsSpan(1))
                context.Reply.WriteBulk(each.ToString().ToLowerInvariant());
            foreach (LoadedModule module in loaded)
                context.Reply.WriteBulk(module.Name.ToLowerInvariant());
            return;
        }

        string name = ArgumentText.Printable(context[2]);
        if (!CategoryMembers.TryFind(name, commands, out Func<Command, bool> isMember))
        {
            ArgumentText.WriteError(ref context, $"ERR Unknown category '{name}'");
            return;
        }

        Command[] members = [.. commands.Commands.SelectMany(command => (Command[])[command, .. command.Subcommands]).Where(isMember)];
        context.Reply.WriteArray(members.Length);
        foreach (Command member in members)
            context.Reply.WriteBulk(member.FullNameBytes);
    }
}
