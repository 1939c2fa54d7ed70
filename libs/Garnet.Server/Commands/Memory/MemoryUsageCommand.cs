// MEMORY USAGE key [SAMPLES count]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store;

namespace Garnet.Server.Commands.Memory;

/// <summary>Replies with the memory of a key: its record, blocks and trees, and its share of the index.</summary>
internal static class MemoryUsageCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "USAGE",
        Arity = -3,
        Flags = CommandFlags.ReadOnly,
        Group = CommandGroup.Server,
        Traits = CommandTraits.IgnoresValue,
        Since = "4.0.0",
        Keys = [KeySpec.Range(2, 0, 1, KeySpecFlags.RO)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        for (int i = 3; i < context.Count; i += 2)
        {
            if (!context.Is(i, "SAMPLES"u8) || i + 1 == context.Count)
            {
                context.Reply.WriteError(ErrorText.Syntax);
                return;
            }

            if (!context.TryGetInteger(i + 1, out long samples))
                return;
            if (samples < 0)
            {
                context.Reply.WriteError(ErrorText.Syntax);
                return;
            }
        }

        // This does not count as an access, and an expired key takes memory until it is removed. Slack after the value is excluded, so that
        // equal keys report equal sizes.
        RecordHandle record = context.Store.OpenExpired(context.Store.Database, context[2], context.Hash(2));
        if (record.Exists)
            context.Reply.WriteInteger(record.Contents.MemoryBytes - record.Contents.SpareBytes);
        else
            context.Reply.WriteNull();
    }
}
