// COMMAND GETKEYSANDFLAGS command [arg [arg ...]]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Documentation;

namespace Garnet.Server.Commands.Introspection;

/// <summary>Replies with the keys among the arguments of a command, and the access flags of each.</summary>
internal sealed class CommandGetKeysAndFlagsCommand(CommandTable commands)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "GETKEYSANDFLAGS",
        Arity = -3,
        Flags = CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Server,
        Traits = CommandTraits.TakesLongArguments,
        Categories = AclCategories.Connection,
        Since = "7.0.0",
        MakeHandler = static parts => new CommandGetKeysAndFlagsCommand(parts.Get<CommandTable>()).Execute,
    };

    private void Execute(ref CommandContext context)
    {
        if (CommandGetKeysCommand.Find(ref context, commands) is not { } keys)
            return;
        context.Reply.WriteArray(keys.Count);
        foreach (KeyPosition key in keys)
        {
            context.Reply.WriteArray(2);
            context.Reply.WriteBulk(context[2 + key.Index]);
            CommandInfo.WriteKeyFlags(ref context.Reply, key.Flags);
        }
    }
}
