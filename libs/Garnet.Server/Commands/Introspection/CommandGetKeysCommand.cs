// COMMAND GETKEYS command [arg [arg ...]]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Server.Commands.Introspection;

/// <summary>Replies with the keys among the arguments of a command.</summary>
internal sealed class CommandGetKeysCommand(CommandTable commands)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "GETKEYS",
        Arity = -3,
        Flags = CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Server,
        Traits = CommandTraits.TakesLongArguments,
        Categories = AclCategories.Connection,
        Since = "2.8.13",
        MakeHandler = static parts => new CommandGetKeysCommand(parts.Get<CommandTable>()).Execute,
    };

    /// <summary>Finds the keys of the command that begins at argument 2; writes the error and returns null if it has none.</summary>
    public static List<KeyPosition>? Find(ref CommandContext context, CommandTable commands)
    {
        Command? command = commands.Find(context[2]);
        if (command is { IsContainer: true } && context.Count > 3)
            command = command.FindSubcommand(context[3]);
        List<KeyPosition> keys = [];
        if (command is null)
            context.Reply.WriteError("ERR Invalid command specified"u8);
        else if (!command.Descriptor.Keys.Any(spec => (spec.Flags & KeySpecFlags.NotKey) == 0))
            context.Reply.WriteError("ERR The command has no key arguments"u8);
        else if (!command.AcceptsArgumentCount(context.Count - 2))
            context.Reply.WriteError("ERR Invalid number of arguments specified for command"u8);
        else if (KeyExtractor.TryGetKeys(command, context, 2, keys) && keys.Count > 0)
            return keys;
        else if (KeyExtractor.TryGetKeysLoosely(command, context, 2, keys))
            return keys;
        else if ((command.Flags & CommandFlags.NoMandatoryKeys) != 0)
            return [];
        else
            context.Reply.WriteError("ERR Invalid arguments specified for command"u8);
        return null;
    }

    private void Execute(ref CommandContext context)
    {
        if (Find(ref context, commands) is not { } keys)
            return;
        context.Reply.WriteArray(keys.Count);
        foreach (KeyPosition key in keys)
            context.Reply.WriteBulk(context[2 + key.Index]);
    }
}
