// MSETNX key value [key value ...]
using Garnet.Engine.Events;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store;

namespace Garnet.Commands.Strings;

/// <summary>Sets several keys to strings if none of them exists.</summary>
internal static class MSetNxCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "MSETNX",
        Arity = -3,
        Flags = CommandFlags.Write | CommandFlags.DenyOom,
        Group = CommandGroup.String,
        Traits = CommandTraits.IgnoresValue,
        Since = "1.0.1",
        Keys = [KeySpec.Range(1, -1, 2, KeySpecFlags.OW | KeySpecFlags.Insert)],
        Event = KeyEvent.Set,
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (context.Count % 2 == 0)
        {
            context.WriteArityError();
            return;
        }

        ReadOnlySpan<KeyReference> hashed = context.LatchKeys(1, 2, context.Count / 2);
        for (int i = 1; i < context.Count; i += 2)
        {
            if (!context.Open(i, hashed, i / 2).Exists)
                continue;
            context.Reply.WriteInteger(0);
            return;
        }

        MSetCommand.SetPairs(ref context, hashed);
        context.Reply.WriteInteger(1);
    }
}
