// Opens the keys of list commands. Stateless.
using Garnet.Store;

namespace Garnet.Server.Commands.Lists;

/// <summary>Latches a key whose value must be a list, or absent.</summary>
internal static class ListKey
{
    /// <summary>Opens the key at an argument; writes the error and answers false when it holds another type.</summary>
    public static bool TryOpen(scoped ref CommandContext context, int keyArgument, out ListValue list)
    {
        RecordHandle record = context.Open(keyArgument);
        if (record.Exists && record.Type != RecordType.List)
        {
            context.Reply.WriteError(ErrorText.WrongType);
            list = default;
            return false;
        }

        list = new ListValue(record);
        return true;
    }

    /// <summary>As <see cref="TryOpen"/> for the first key of a command that only reads: counts the look-up.</summary>
    public static bool TryOpenForReading(scoped ref CommandContext context, out ListValue list)
    {
        RecordHandle record = context.Open(1);
        context.CountLookup(record.Exists);
        return TryOpen(ref context, 1, out list);
    }
}
