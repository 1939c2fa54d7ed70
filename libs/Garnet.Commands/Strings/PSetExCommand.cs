// PSETEX key milliseconds value
using Garnet.Engine.Events;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.Strings;

/// <summary>Sets a key to a string that expires after a number of milliseconds.</summary>
internal static class PSetExCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "PSETEX",
        Arity = 4,
        Flags = CommandFlags.Write | CommandFlags.DenyOom,
        Group = CommandGroup.String,
        Since = "2.6.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.OW | KeySpecFlags.Update)],
        Event = KeyEvent.Set,
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context) => SetExCommand.Set(ref context, StringOption.Px);
}
