// COMMAND DOCS [command-name [command-name ...]]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Documentation;

namespace Garnet.Server.Commands.Introspection;

/// <summary>Replies with the documentation of commands; unknown ones are omitted.</summary>
internal sealed class CommandDocsCommand(CommandTable commands)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "DOCS",
        Arity = -2,
        Flags = CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Server,
        Categories = AclCategories.Connection,
        Since = "7.0.0",
        Tips = ["nondeterministic_output_order"],
        MakeHandler = static parts => new CommandDocsCommand(parts.Get<CommandTable>()).Execute,
    };

    private void Execute(ref CommandContext context)
    {
        if (context.Count == 2)
        {
            Write(ref context, commands.Callable);
            return;
        }

        List<Command> named = [];
        for (int i = 2; i < context.Count; i++)
        {
            if (CommandName.Find(commands, context[i]) is { } command)
                named.Add(command);
        }

        Write(ref context, named);
    }

    private static void Write(ref CommandContext context, IReadOnlyCollection<Command> commands)
    {
        context.Reply.WriteMap(commands.Count);
        foreach (Command command in commands)
        {
            context.Reply.WriteBulk(command.FullNameBytes);
            CommandDocumentation.Write(ref context.Reply, command);
        }
    }
}
