// XINFO subcommand [argument ...]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store.Collections.Streams;

namespace Garnet.Commands.Streams;

/// <summary>The container of the XINFO subcommands.</summary>
internal static class XInfoCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "XINFO",
        Arity = -2,
        Flags = CommandFlags.None,
        Group = CommandGroup.Stream,
        Since = "5.0.0",
        Help = new(
            "5.0.0",
            [
                "CONSUMERS <key> <groupname>",
                "    Show consumers of <groupname>.",
                "GROUPS <key>",
                "    Show the stream consumer groups.",
                "STREAM <key> [FULL [COUNT <count>]",
                "    Show information about the stream.",
            ]
        ),
        Subcommands = [XInfoConsumersCommand.Descriptor, XInfoGroupsCommand.Descriptor, XInfoStreamCommand.Descriptor],
    };

    /// <summary>Opens the key of a subcommand, which must be a stream; writes the error and returns false if it is not.</summary>
    internal static bool TryOpen(scoped ref CommandContext context, out StreamValue stream)
    {
        if (!StreamKey.TryOpenForReading(ref context, 2, out stream))
            return false;
        if (!stream.Exists)
            context.Reply.WriteError(ErrorText.NoSuchKey);
        return stream.Exists;
    }
}
