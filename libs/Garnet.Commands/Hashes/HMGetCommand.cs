// HMGET key field [field ...]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store.Collections.Hashes;

namespace Garnet.Commands.Hashes;

/// <summary>Replies with the values of fields; null for fields that do not exist.</summary>
internal static class HMGetCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "HMGET",
        Arity = -3,
        Flags = CommandFlags.ReadOnly | CommandFlags.Fast,
        Group = CommandGroup.Hash,
        Since = "2.0.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RO | KeySpecFlags.Access)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (!HashKey.TryOpenForReading(ref context, out HashValue hash))
            return;
        context.Reply.WriteArray(context.Count - 2);
        for (int i = 2; i < context.Count; i++)
        {
            if (hash.TryGet(context[i], out ReadOnlySpan<byte> value))
                context.Reply.WriteBulk(value);
            else
                context.Reply.WriteNull();
        }
    }
}
