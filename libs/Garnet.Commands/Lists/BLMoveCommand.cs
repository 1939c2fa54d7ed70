// BLMOVE source destination LEFT | RIGHT LEFT | RIGHT timeout
using Garnet.Engine.Arguments;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.Lists;

/// <summary>As LMOVE, but waits if there is no element.</summary>
internal static class BLMoveCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "BLMOVE",
        Arity = 6,
        Flags = CommandFlags.Write | CommandFlags.DenyOom | CommandFlags.Blocking,
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
            !ListEndArgument.TryGet(ref context, 3, out ListEnd from)
            || !ListEndArgument.TryGet(ref context, 4, out ListEnd to)
            || !BlockingTimeout.TryGetSeconds(ref context, 5, out long deadlineMs)
            || !BlockingListMove.TryMove(ref context, from, to, deadlineMs)
        )
        {
            return;
        }

        if (context.HasSink)
            context.BeginEffect(5).Add("LMOVE"u8).Add(context[1]).Add(context[2]).Add(context[3]).Add(context[4]);
    }
}
