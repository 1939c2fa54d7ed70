// MSET key value [key value ...]
using Garnet.Engine.Events;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store;

namespace Garnet.Commands.Strings;

/// <summary>Sets several keys to strings atomically.</summary>
internal static class MSetCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "MSET",
        Arity = -3,
        Flags = CommandFlags.Write | CommandFlags.DenyOom,
        Group = CommandGroup.String,
        SingleKeyForm = "SET",
        Since = "1.0.1",
        Keys = [KeySpec.Range(1, -1, 2, KeySpecFlags.OW | KeySpecFlags.Update)],
        Tips = ["request_policy:multi_shard", "response_policy:all_succeeded"],
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

        SetPairs(ref context, context.LatchKeys(1, 2, context.Count / 2));
        context.Reply.WriteOk();
    }

    /// <summary>Sets the key-value pairs from argument 1 on; the keys are already hashed and latched.</summary>
    internal static void SetPairs(ref CommandContext context, ReadOnlySpan<KeyReference> hashed)
    {
        for (int i = 1; i < context.Count; i += 2)
        {
            RecordHandle record = context.Open(i, hashed, i / 2);
            context.SetString(ref record, i + 1);
            context.ReleaseBefore(i + 2);
        }

        context.CountChanges(context.Count / 2);
    }
}
