// ZINTERSTORE destination numkeys key [key ...] [WEIGHTS weight [weight ...]] [AGGREGATE SUM | MIN | MAX]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.SortedSets;

/// <summary>Stores the intersection of sorted sets, and replies with the number of members.</summary>
internal static class ZInterStoreCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "ZINTERSTORE",
        Arity = -4,
        Flags = CommandFlags.Write | CommandFlags.DenyOom,
        Group = CommandGroup.SortedSet,
        Since = "2.0.0",
        Keys =
        [
            KeySpec.Range(1, 0, 1, KeySpecFlags.OW | KeySpecFlags.Update),
            KeySpec.Counted(2, 0, 1, 1, KeySpecFlags.RO | KeySpecFlags.Access),
        ],
        Event = SortedSetEvents.IntersectionStore,
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context) => SortedSetAlgebra.Store(ref context, AlgebraKind.Inter);
}
