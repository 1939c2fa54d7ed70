// RPUSH key element [element ...]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.Lists;

/// <summary>Appends elements to a list, one after the other, and replies with its length.</summary>
internal static class RPushCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "RPUSH",
        Arity = -3,
        Flags = CommandFlags.Write | CommandFlags.DenyOom | CommandFlags.Fast,
        Group = CommandGroup.List,
        Since = "1.0.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RW | KeySpecFlags.Insert)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context) => ListPush.Execute(ref context, ListEnd.Right, onlyExisting: false);
}
