// COMMAND LIST [FILTERBY MODULE module-name | ACLCAT category | PATTERN pattern]
using System.Text;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Acl;

namespace Garnet.Server.Commands.Introspection;

/// <summary>Lists the names of commands and subcommands.</summary>
internal sealed class CommandListCommand(CommandTable commands)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "LIST",
        Arity = -2,
        Flags = CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Server,
        Categories = AclCategories.Connection,
        Since = "7.0.0",
        Tips = ["nondeterministic_output_order"],
        MakeHandler = static parts => new CommandListCommand(parts.Get<CommandTable>()).Execute,
    };

    private void Execute(ref CommandContext context)
    {
        bool filtered = context.Count == 5;
        if ((!filtered && context.Count != 2) || (filtered && !IsFilter(ref context)))
        {
            context.Reply.WriteError(ErrorText.Syntax);
            return;
        }

        List<Command> listed = [];
        foreach (Command command in commands.Callable)
        {
            if (!filtered || Passes(ref context, command))
                listed.Add(command);
            foreach (Command subcommand in command.Subcommands)
            {
                if (!filtered || Passes(ref context, subcommand))
                    listed.Add(subcommand);
            }
        }

        context.Reply.WriteArray(listed.Count);
        foreach (Command command in listed)
            context.Reply.WriteBulk(command.FullNameBytes);
    }

    private static bool IsFilter(ref CommandContext context) =>
        context.Is(2, "FILTERBY"u8) && (context.Is(3, "MODULE"u8) || context.Is(3, "ACLCAT"u8) || context.Is(3, "PATTERN"u8));

    private bool Passes(ref CommandContext context, Command command)
    {
        if (context.Is(3, "MODULE"u8))
            return command.Descriptor.Module is { } module && context[4].SequenceEqual(Encoding.Latin1.GetBytes(module));
        if (context.Is(3, "PATTERN"u8))
            return GlobPattern.IsMatch(context[4], command.FullNameBytes, ignoreCase: true);
        return context.Is(3, "ACLCAT"u8)
            && CategoryMembers.TryFind(ArgumentText.Printable(context[4]), commands, out Func<Command, bool> isMember)
            && isMember(command);
    }
}
