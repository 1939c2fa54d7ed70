// MGET key [key ...]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store;

namespace Garnet.Commands.Strings;

/// <summary>Replies with the strings at several keys, read atomically; null for a key that is absent or holds another type.</summary>
internal static class MGetCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "MGET",
        Arity = -2,
        Flags = CommandFlags.ReadOnly | CommandFlags.Fast,
        Group = CommandGroup.String,
        Since = "1.0.0",
        Keys = [KeySpec.Range(1, -1, 1, KeySpecFlags.RO | KeySpecFlags.Access)],
        Tips = ["request_policy:multi_shard"],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        int keys = context.Count - 1;
        ReadOnlySpan<KeyReference> hashed = keys > 1 ? context.LatchKeys(1, 1, keys) : default;
        context.Reply.WriteArray(keys);
        for (int i = 1; i <= keys; i++)
        {
            RecordHandle record = keys > 1 ? context.Open(i, hashed, i - 1) : context.Open(i);
            context.CountLookup(record.Exists, i);
            if (record.Exists && record.Type == RecordType.String)
                context.WriteString(in record);
            else
                context.Reply.WriteNull();
        }
    }
}
