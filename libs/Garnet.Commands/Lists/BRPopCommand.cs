// BRPOP key [key ...] timeout
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.Lists;

/// <summary>Removes the last element of the first non-empty list, or waits for one.</summary>
internal static class BRPopCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "BRPOP",
        Arity = -3,
        Flags = CommandFlags.Write | CommandFlags.Blocking,
        Group = CommandGroup.List,
        Since = "2.0.0",
        Keys = [KeySpec.Range(1, -2, 1, KeySpecFlags.RW | KeySpecFlags.Access | KeySpecFlags.Delete)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context) => BlockingListPop.Execute(ref context, ListEnd.Right);
}
