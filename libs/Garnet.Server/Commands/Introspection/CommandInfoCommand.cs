// COMMAND INFO [command-name [command-name ...]]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Documentation;

namespace Garnet.Server.Commands.Introspection;

/// <summary>Describes commands; the description of an unknown one is null.</summary>
internal sealed class CommandInfoCommand(CommandTable commands)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "INFO",
        Arity = -2,
        Flags = CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Server,
        Categories = AclCategories.Connection,
        Since = "2.8.13",
        Tips = ["nondeterministic_output_order"],
        MakeHandler = static parts => new CommandInfoCommand(parts.Get<CommandTable>()).Execute,
    };

    /// <summary>Writes the descriptions of all commands.</summary>
    public static void WriteAll(ref CommandContext context, CommandTable commands)
    {
        context.Reply.WriteArray(commands.Callable.Count);
        foreach (Command command in commands.Callable)
            CommandInfo.Write(ref context.Reply, command);
    }

    private void Execute(ref CommandContext context)
    {
        if (context.Count == 2)
        {
            WriteAll(ref context, commands);
            return;
        }

        context.Reply.WriteArray(context.Count - 2);
        for (int i = 2; i < context.Count; i++)
            CommandInfo.Write(ref context.Reply, CommandName.Find(commands, context[i]));
    }
}
