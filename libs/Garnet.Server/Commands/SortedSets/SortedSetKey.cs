// Opens the keys of sorted set commands. Stateless.
using Garnet.Store;

namespace Garnet.Server.Commands.SortedSets;

/// <summary>Latches a key whose value must be a sorted set, or absent.</summary>
internal static class SortedSetKey
{
    /// <summary>Opens the key at an argument; writes the error and answers false when it holds another type.</summary>
    public static bool TryOpen(scoped ref CommandContext context, int keyArgument, out SortedSetValue members)
    {
        RecordHandle record = context.Open(keyArgument);
        if (record.Exists && record.Type != RecordType.SortedSet)
        {
            context.Reply.WriteError(ErrorText.WrongType);
            members = default;
            return false;
        }

        members = new SortedSetValue(record);
        return true;
    }

    /// <summary>As <see cref="TryOpen"/> for the first key of a command that only reads: counts the look-up.</summary>
    public static bool TryOpenForReading(scoped ref CommandContext context, out SortedSetValue members)
    {
        RecordHandle record = context.Open(1);
        context.CountLookup(record.Exists);
        return TryOpen(ref context, 1, out members);
    }
}
