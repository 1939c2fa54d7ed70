// SORT key [BY pattern] [LIMIT offset count] [GET pattern [GET pattern ...]] [ASC | DESC] [ALPHA] [STORE destination]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.Keys;

/// <summary>
/// Sorts the elements of a list, set or sorted set, by their own values or by other keys, and replies with them or stores them.
/// </summary>
internal static class SortCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "SORT",
        Arity = -2,
        Flags = CommandFlags.Write | CommandFlags.DenyOom,
        Group = CommandGroup.Generic,
        Categories = AclCategories.Dangerous | AclCategories.List | AclCategories.Set | AclCategories.SortedSet,
        Since = "1.0.0",
        Keys =
        [
            KeySpec.Range(1, 0, 1, KeySpecFlags.RO | KeySpecFlags.Access),
            KeySpec.Unknown(
                KeySpecFlags.RO | KeySpecFlags.Access,
                notes: "For the optional BY/GET keyword. It is marked 'unknown' because the key names derive from the content of the key we sort"
            ),
            KeySpec.Unknown(
                KeySpecFlags.OW | KeySpecFlags.Update,
                notes: "For the optional STORE keyword. It is marked 'unknown' because the keyword can appear anywhere in the argument array"
            ),
        ],
        FindKeys = static (in CommandContext context, int offset, List<KeyPosition> keys) =>
            SortOptions.FindKeys(context, offset, keys, isReadOnly: false),
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context) => Sorting.Execute(ref context, isReadOnly: false);
}
