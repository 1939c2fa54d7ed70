// LPUSH key element [element ...]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.Lists;

/// <summary>Prepends elements to a list, one after the other, and replies with its length.</summary>
internal static class LPushCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "LPUSH",
        Arity = -3,
        Flags = CommandFlags.Write | CommandFlags.DenyOom | CommandFlags.Fast,
        Group = CommandGroup.List,
        Since = "1.0.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RW | KeySpecFlags.Insert)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context) => ListPush.Execute(ref context, ListEnd.Left, onlyExisting: false);
}
