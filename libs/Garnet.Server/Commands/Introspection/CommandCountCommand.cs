// COMMAND COUNT
using Garnet.Server.CommandModel;

namespace Garnet.Server.Commands.Introspection;

/// <summary>Counts the commands, without subcommands.</summary>
internal static class CommandCountCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "COUNT",
        Arity = 2,
        Flags = CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Server,
        Categories = AclCategories.Connection,
        Since = "2.8.13",
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context) => context.Reply.WriteInteger(context.Server.Commands.Callable.Count);
}
