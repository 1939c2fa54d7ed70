// LMOVE source destination LEFT | RIGHT LEFT | RIGHT
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.Lists;

/// <summary>Moves an element from one end of a list to one end of another, and replies with it.</summary>
internal static class LMoveCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "LMOVE",
        Arity = 5,
        Flags = CommandFlags.Write | CommandFlags.DenyOom,
        Group = CommandGroup.List,
        Since = "6.2.0",
        Keys =
        [
            KeySpec.Range(1, 0, 1, KeySpecFlags.RW | KeySpecFlags.Access | KeySpecFlags.Delete),
            KeySpec.Range(2, 0, 1, KeySpecFlags.RW | KeySpecFlags.Insert),
        ],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (
            ListEndArgument.TryGet(ref context, 3, out ListEnd from)
            && ListEndArgument.TryGet(ref context, 4, out ListEnd to)
            && !ListMove.TryMove(ref context, from, to)
        )
        {
            context.Reply.WriteNull();
        }
    }
}
