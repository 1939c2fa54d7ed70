// DECRBY key decrement
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.Strings;

/// <summary>Subtracts from the integer at a key.</summary>
internal static class DecrByCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "DECRBY",
        Arity = 3,
        Flags = CommandFlags.Write | CommandFlags.DenyOom | CommandFlags.Fast,
        Group = CommandGroup.String,
        Since = "1.0.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RW | KeySpecFlags.Access | KeySpecFlags.Update)],
        Event = StringEvents.IncrBy,
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (!context.TryGetInteger(2, out long decrement))
            return;
        if (decrement == long.MinValue)
            context.Reply.WriteError("ERR decrement would overflow"u8);
        else
            IncrByCommand.Add(ref context, -decrement);
    }
}
