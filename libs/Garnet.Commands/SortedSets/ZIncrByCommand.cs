// ZINCRBY key increment member
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.SortedSets;

/// <summary>Adds to the score of a member, and replies with the new score.</summary>
internal static class ZIncrByCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "ZINCRBY",
        Arity = 4,
        Flags = CommandFlags.Write | CommandFlags.DenyOom | CommandFlags.Fast,
        Group = CommandGroup.SortedSet,
        Since = "1.2.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RW | KeySpecFlags.Access | KeySpecFlags.Update)],
        Handler = Execute,
    };

    // As in Valkey, ZADD's options are parsed here too, although with any of them there is no score-member pair left.
    private static void Execute(ref CommandContext context)
    {
        if (AddOptions.TryParse(ref context, out AddOptions options, out int first))
            SortedSetAddition.Execute(ref context, options with { Increments = true }, first);
    }
}
