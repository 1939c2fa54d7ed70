// LPUSHX key element [element ...]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.Lists;

/// <summary>As LPUSH, but only if the list exists.</summary>
internal static class LPushXCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "LPUSHX",
        Arity = -3,
        Flags = CommandFlags.Write | CommandFlags.DenyOom | CommandFlags.Fast,
        Group = CommandGroup.List,
        Since = "2.2.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RW | KeySpecFlags.Insert)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context) => ListPush.Execute(ref context, ListEnd.Left, onlyExisting: true);
}
