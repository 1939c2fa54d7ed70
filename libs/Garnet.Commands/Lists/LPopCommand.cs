// LPOP key [count]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.Lists;

/// <summary>Removes the first elements of a list and replies with them.</summary>
internal static class LPopCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "LPOP",
        Arity = -2,
        Flags = CommandFlags.Write | CommandFlags.Fast,
        Group = CommandGroup.List,
        Since = "1.0.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RW | KeySpecFlags.Access | KeySpecFlags.Delete)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context) => ListPop.Execute(ref context, ListEnd.Left);
}
