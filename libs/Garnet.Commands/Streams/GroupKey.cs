// Opens the keys of XGROUP's subcommands. Stateless.
using Garnet.Engine.Execution;
using Garnet.Store.Collections.Streams;

namespace Garnet.Commands.Streams;

/// <summary>The key is argument 2, the group argument 3.</summary>
internal static class GroupKey
{
    /// <summary>Opens a key that must be a stream; writes the error and returns false if it is not.</summary>
    public static bool TryOpen(scoped ref CommandContext context, bool mayBeMissing, out StreamValue stream)
    {
        if (!StreamKey.TryOpen(ref context, 2, out stream))
            return false;
        if (stream.Exists || mayBeMissing)
            return true;
        context.Reply.WriteError(
            "ERR The XGROUP subcommand requires the key to exist. Note that for CREATE you may want to use the MKSTREAM option to create an empty stream automatically."u8
        );
        return false;
    }

    /// <summary>Opens a key that must be a stream with the group, and finds the group's number.</summary>
    public static bool TryOpenWithGroup(scoped ref CommandContext context, out StreamValue stream, out long number)
    {
        number = 0;
        if (!TryOpen(ref context, mayBeMissing: false, out stream))
            return false;
        if (stream.View.TryGetGroup(context[3], out StreamGroup group))
        {
            number = group.Number;
            return true;
        }

        StreamKey.WriteNoGroupForKey(ref context, 2, 3);
        return false;
    }

    /// <summary>Parses the options of CREATE and SETID after the ID; writes the error and returns false if they are invalid.</summary>
    public static bool TryParseOptions(ref CommandContext context, bool isCreating, out bool isMakingStream, out long entriesRead)
    {
        isMakingStream = false;
        entriesRead = -1;
        for (int i = 5; i < context.Count; i++)
        {
            if (isCreating && context.Is(i, "MKSTREAM"u8))
            {
                isMakingStream = true;
                continue;
            }

            if (i + 1 == context.Count || !context.Is(i, "ENTRIESREAD"u8))
            {
                StreamKey.WriteSubcommandError(ref context, "XGROUP");
                return false;
            }

            if (!context.TryGetInteger(++i, out entriesRead))
                return false;
            if (entriesRead >= -1)
                continue;
            context.Reply.WriteError("ERR value for ENTRIESREAD must be positive or -1"u8);
            return false;
        }

        return true;
    }
}
