// Opens the keys of set commands. Stateless; the key stays latched until the command ends.
using Garnet.Engine.Execution;
using Garnet.Store;
using Garnet.Store.Collections.Sets;

namespace Garnet.Commands.Sets;

/// <summary>Opens the set in an argument.</summary>
internal static class SetKey
{
    /// <summary>
    /// Opens the key in an argument; writes the error and returns false if it holds another type. An absent set is empty.
    /// </summary>
    public static bool TryOpen(scoped ref CommandContext context, int keyArgument, out SetValue set)
    {
        bool isOpen = context.TryOpen(keyArgument, RecordType.Set, countsLookup: false, out RecordHandle record);
        set = isOpen ? new SetValue(record) : default;
        return isOpen;
    }

    /// <summary>As <see cref="TryOpen"/>, and counts the lookup.</summary>
    public static bool TryOpenForReading(scoped ref CommandContext context, int keyArgument, out SetValue set)
    {
        bool isOpen = context.TryOpen(keyArgument, RecordType.Set, countsLookup: true, out RecordHandle record);
        set = isOpen ? new SetValue(record) : default;
        return isOpen;
    }
}
