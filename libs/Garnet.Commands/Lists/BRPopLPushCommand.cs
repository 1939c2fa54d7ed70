// BRPOPLPUSH source destination timeout
using Garnet.Engine.Arguments;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.Lists;

/// <summary>As RPOPLPUSH, but waits if there is no element.</summary>
internal static class BRPopLPushCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "BRPOPLPUSH",
        Arity = 4,
        Flags = CommandFlags.Write | CommandFlags.DenyOom | CommandFlags.Blocking,
        Group = CommandGroup.List,
        Since = "2.2.0",
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
            !BlockingTimeout.TryGetSeconds(ref context, 3, out long deadlineMs)
            || !BlockingListMove.TryMove(ref context, ListEnd.Right, ListEnd.Left, deadlineMs)
        )
        {
            return;
        }

        context.ReplaceEffect("RPOPLPUSH"u8, context[1], context[2]);
    }
}
