// ZUNIONSTORE destination numkeys key [key ...] [WEIGHTS weight [weight ...]] [AGGREGATE SUM | MIN | MAX]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.SortedSets;

/// <summary>Stores the union of sorted sets, and replies with the number of members.</summary>
internal static class ZUnionStoreCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "ZUNIONSTORE",
        Arity = -4,
        Flags = CommandFlags.Write | CommandFlags.DenyOom,
        Group = CommandGroup.SortedSet,
        Since = "2.0.0",
        Keys =
        [
            KeySpec.Range(1, 0, 1, KeySpecFlags.OW | KeySpecFlags.Update),
            KeySpec.Counted(2, 0, 1, 1, KeySpecFlags.RO | KeySpecFlags.Access),
        ],
        Event = SortedSetEvents.UnionStore,
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context) => SortedSetAlgebra.Store(ref context, AlgebraKind.Union);
}
