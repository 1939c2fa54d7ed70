// ZADD key [NX | XX] [GT | LT] [CH] [INCR] score member [score member ...]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.SortedSets;

/// <summary>Adds members, or updates their scores.</summary>
internal static class ZAddCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "ZADD",
        Arity = -4,
        Flags = CommandFlags.Write | CommandFlags.DenyOom | CommandFlags.Fast,
        Group = CommandGroup.SortedSet,
        Since = "1.2.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RW | KeySpecFlags.Update)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (AddOptions.TryParse(ref context, out AddOptions options, out int first))
            SortedSetAddition.Execute(ref context, options, first);
    }
}
