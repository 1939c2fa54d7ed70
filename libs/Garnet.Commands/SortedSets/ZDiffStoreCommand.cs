// ZDIFFSTORE destination numkeys key [key ...]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.SortedSets;

/// <summary>Stores the difference of the first sorted set and all others, and replies with the number of members.</summary>
internal static class ZDiffStoreCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "ZDIFFSTORE",
        Arity = -4,
        Flags = CommandFlags.Write | CommandFlags.DenyOom,
        Group = CommandGroup.SortedSet,
        Since = "6.2.0",
        Keys =
        [
            KeySpec.Range(1, 0, 1, KeySpecFlags.OW | KeySpecFlags.Update),
            KeySpec.Counted(2, 0, 1, 1, KeySpecFlags.RO | KeySpecFlags.Access),
        ],
        Event = SortedSetEvents.DifferenceStore,
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context) => SortedSetAlgebra.Store(ref context, AlgebraKind.Diff);
}
