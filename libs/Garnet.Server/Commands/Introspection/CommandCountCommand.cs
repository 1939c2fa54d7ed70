// COMMAND COUNT
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Server.Commands.Introspection;

/// <summary>Counts the commands, without subcommands.</summary>
internal sealed class CommandCountCommand(CommandTable commands)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "COUNT",
        Arity = 2,
        Flags = CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Server,
        Categories = AclCategories.Connection,
        Since = "2.8.13",
        MakeHandler = static parts => new CommandCountCommand(parts.Get<CommandTable>()).Execute,
    };

    private void Execute(ref CommandContext context) => context.Reply.WriteInteger(commands.Callable.Count);
}
