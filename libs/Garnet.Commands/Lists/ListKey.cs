// Opens the keys of list commands. Stateless.
using Garnet.Engine.Execution;
using Garnet.Store;
using Garnet.Store.Collections.Lists;

namespace Garnet.Commands.Lists;

/// <summary>Latches a key whose value must be a list or absent.</summary>
internal static class ListKey
{
    /// <summary>
    /// Opens the key in an argument; writes the error and returns false if it holds another type. An absent list is empty.
    /// </summary>
    public static bool TryOpen(scoped ref CommandContext context, int keyArgument, out ListValue list)
    {
        bool isOpen = context.TryOpen(keyArgument, RecordType.List, countsLookup: false, out RecordHandle record);
        list = isOpen ? new ListValue(record) : default;
        return isOpen;
    }

    /// <summary>As <see cref="TryOpen"/> for the first key, and counts the lookup.</summary>
    public static bool TryOpenForReading(scoped ref CommandContext context, out ListValue list)
    {
        bool isOpen = context.TryOpen(1, RecordType.List, countsLookup: true, out RecordHandle record);
        list = isOpen ? new ListValue(record) : default;
        return isOpen;
    }
}
