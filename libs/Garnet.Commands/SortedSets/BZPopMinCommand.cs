// BZPOPMIN key [key ...] timeout
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.SortedSets;

/// <summary>Removes the member with the lowest score from the first non-empty sorted set, or waits for one.</summary>
internal static class BZPopMinCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "BZPOPMIN",
        Arity = -3,
        Flags = CommandFlags.Write | CommandFlags.Fast | CommandFlags.Blocking,
        Group = CommandGroup.SortedSet,
        Since = "5.0.0",
        Keys = [KeySpec.Range(1, -2, 1, KeySpecFlags.RW | KeySpecFlags.Access | KeySpecFlags.Delete)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context) => BlockingSortedSetPop.Execute(ref context, isMax: false);
}
