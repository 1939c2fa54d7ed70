// RPOPLPUSH source destination
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.Lists;

/// <summary>Moves the last element of a list to the head of another, and replies with it.</summary>
internal static class RPopLPushCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "RPOPLPUSH",
        Arity = 3,
        Flags = CommandFlags.Write | CommandFlags.DenyOom,
        Group = CommandGroup.List,
        Since = "1.2.0",
        Keys =
        [
            KeySpec.Range(1, 0, 1, KeySpecFlags.RW | KeySpecFlags.Access | KeySpecFlags.Delete),
            KeySpec.Range(2, 0, 1, KeySpecFlags.RW | KeySpecFlags.Insert),
        ],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (!ListMove.TryMove(ref context, ListEnd.Right, ListEnd.Left))
            context.Reply.WriteNull();
    }
}
