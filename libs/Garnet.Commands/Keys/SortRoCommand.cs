// SORT_RO key [BY pattern] [LIMIT offset count] [GET pattern [GET pattern ...]] [ASC | DESC] [ALPHA]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.Keys;

/// <summary>SORT without STORE.</summary>
internal static class SortRoCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "SORT_RO",
        Arity = -2,
        Flags = CommandFlags.ReadOnly,
        Group = CommandGroup.Generic,
        Categories = AclCategories.Dangerous | AclCategories.List | AclCategories.Set | AclCategories.SortedSet,
        Since = "7.0.0",
        Keys =
        [
            KeySpec.Range(1, 0, 1, KeySpecFlags.RO | KeySpecFlags.Access),
            KeySpec.Unknown(
                KeySpecFlags.RO | KeySpecFlags.Access,
                notes: "For the optional BY/GET keyword. It is marked 'unknown' because the key names derive from the content of the key we sort"
            ),
        ],
        FindKeys = static (in CommandContext context, int offset, List<KeyPosition> keys) =>
            SortOptions.FindKeys(context, offset, keys, isReadOnly: true),
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context) => Sorting.Execute(ref context, isReadOnly: true);
}
