// BZPOPMAX key [key ...] timeout
using Garnet.Server.CommandModel;

namespace Garnet.Server.Commands.SortedSets;

/// <summary>Removes the member of the greatest score of the first sorted set that has some, or waits for one.</summary>
internal static class BZPopMaxCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "BZPOPMAX",
        Arity = -3,
        Flags = CommandFlags.Write | CommandFlags.Fast | CommandFlags.Blocking,
        Group = CommandGroup.SortedSet,
        Categories = AclCategories.Blocking | AclCategories.Fast | AclCategories.SortedSet | AclCategories.Write,
        Since = "5.0.0",
        Keys = [KeySpec.Range(1, -2, 1, KeySpecFlags.RW | KeySpecFlags.Access | KeySpecFlags.Delete)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context) => BlockingSortedSetPop.Execute(ref context, isMax: true);
}
