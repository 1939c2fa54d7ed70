// ZINTER numkeys key [key ...] [WEIGHTS weight [weight ...]] [AGGREGATE SUM | MIN | MAX] [WITHSCORES]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.SortedSets;

/// <summary>Replies with the intersection of sorted sets.</summary>
internal static class ZInterCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "ZINTER",
        Arity = -3,
        Flags = CommandFlags.ReadOnly,
        Group = CommandGroup.SortedSet,
        Since = "6.2.0",
        Keys = [KeySpec.Counted(1, 0, 1, 1, KeySpecFlags.RO | KeySpecFlags.Access)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context) => SortedSetAlgebra.Reply(ref context, AlgebraKind.Inter);
}
