// INCR key
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.Strings;

/// <summary>Adds one to the integer at a key.</summary>
internal static class IncrCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "INCR",
        Arity = 2,
        Flags = CommandFlags.Write | CommandFlags.DenyOom | CommandFlags.Fast,
        Group = CommandGroup.String,
        Since = "1.0.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RW | KeySpecFlags.Access | KeySpecFlags.Update)],
        Event = StringEvents.IncrBy,
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context) => IncrByCommand.Add(ref context, 1);
}
