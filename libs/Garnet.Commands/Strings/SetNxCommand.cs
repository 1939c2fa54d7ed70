// SETNX key value
using Garnet.Engine.Events;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store;

namespace Garnet.Commands.Strings;

/// <summary>Sets a key to a string if it does not exist.</summary>
internal static class SetNxCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "SETNX",
        Arity = 3,
        Flags = CommandFlags.Write | CommandFlags.DenyOom | CommandFlags.Fast,
        Group = CommandGroup.String,
        Traits = CommandTraits.IgnoresValue,
        Since = "1.0.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.OW | KeySpecFlags.Insert)],
        Event = KeyEvent.Set,
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        RecordHandle record = context.Open(1);
        bool absent = !record.Exists;
        if (absent)
            context.SetString(ref record, 2);
        context.Reply.WriteInteger(absent ? 1 : 0);
    }
}
