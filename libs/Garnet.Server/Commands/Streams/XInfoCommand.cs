// XINFO subcommand [argument ...]
using Garnet.Server.CommandModel;
using Garnet.Store.Collections.Streams;

namespace Garnet.Server.Commands.Streams;

/// <summary>The container of the commands that look inside a stream.</summary>
internal static class XInfoCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "XINFO",
        Arity = -2,
        Flags = CommandFlags.None,
        Group = CommandGroup.Stream,
        Categories = AclCategories.Slow,
        Since = "5.0.0",
        Subcommands =
        [
            XInfoConsumersCommand.Descriptor,
            XInfoGroupsCommand.Descriptor,
            XInfoHelpCommand.Descriptor,
            XInfoStreamCommand.Descriptor,
        ],
    };

    /// <summary>Opens the key of a subcommand, which must be a stream; writes the error and returns false when it is not.</summary>
    internal static bool TryOpen(scoped ref CommandContext context, out StreamValue stream)
    {
        if (!StreamKey.TryOpenForReading(ref context, 2, out stream))
            return false;
        if (!stream.Exists)
            context.Reply.WriteError(ErrorText.NoSuchKey);
        return stream.Exists;
    }
}
