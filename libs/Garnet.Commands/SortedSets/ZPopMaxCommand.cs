// ZPOPMAX key [count]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.SortedSets;

/// <summary>Removes the members with the highest scores and replies with them.</summary>
internal static class ZPopMaxCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "ZPOPMAX",
        Arity = -2,
        Flags = CommandFlags.Write | CommandFlags.Fast,
        Group = CommandGroup.SortedSet,
        Since = "5.0.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RW | KeySpecFlags.Access | KeySpecFlags.Delete)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context) => SortedSetPop.Execute(ref context, isMax: true);
}
