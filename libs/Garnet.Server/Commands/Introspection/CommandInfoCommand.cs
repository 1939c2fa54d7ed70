// COMMAND INFO [command-name [command-name ...]]
using Garnet.Server.CommandModel;
using Garnet.Server.Documentation;

namespace Garnet.Server.Commands.Introspection;

/// <summary>Describes commands; the description of an unknown one is null.</summary>
internal static class CommandInfoCommand
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
        Handler = Execute,
    };

    /// <summary>Writes the descriptions of all commands.</summary>
    public static void WriteAll(ref CommandContext context)
    {
        context.Reply.WriteArray(context.Server.Commands.Callable.Count);
        foreach (Command command in context.Server.Commands.Callable)
            CommandInfo.Write(ref context.Reply, command);
    }

    private static void Execute(ref CommandContext context)
    {
        if (context.Count == 2)
        {
            WriteAll(ref context);
            return;
        }

        context.Reply.WriteArray(context.Count - 2);
        for (int i = 2; i < context.Count; i++)
            CommandInfo.Write(ref context.Reply, CommandName.Find(context.Server.Commands, context[i]));
    }
}
