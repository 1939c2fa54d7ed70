// HRANDFIELD key [count [WITHVALUES]]
using Garnet.Engine.Arguments;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store.Collections.Hashes;

namespace Garnet.Commands.Hashes;

/// <summary>
/// Replies with a random field of a hash, with a number of distinct random fields, or, for a negative count, with possible repetitions.
/// </summary>
internal static class HRandFieldCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "HRANDFIELD",
        Arity = -2,
        Flags = CommandFlags.ReadOnly,
        Group = CommandGroup.Hash,
        Since = "6.2.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RO | KeySpecFlags.Access)],
        Tips = ["nondeterministic_output"],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (context.Count == 2)
        {
            ReplyWithOne(ref context);
            return;
        }

        if (!RandomCount.TryParse(ref context, 2, out RandomCount count))
            return;
        bool withValues = context.Count == 4 && context.Is(3, "WITHVALUES"u8);
        if (context.Count > 3 && !withValues)
            context.Reply.WriteError(ErrorText.Syntax);
        else if (withValues && count.Elements > long.MaxValue / 2)
            context.Reply.WriteError("ERR value is out of range"u8);
        else
            ReplyWithSeveral(ref context, count, withValues);
    }

    private static void ReplyWithOne(ref CommandContext context)
    {
        if (!HashKey.TryOpenForReading(ref context, out HashValue hash))
            return;
        foreach (HashField field in hash.Sample(1, isDistinct: false))
        {
            context.Reply.WriteBulk(field.Field);
            return;
        }

        context.Reply.WriteNull();
    }

    private static void ReplyWithSeveral(ref CommandContext context, RandomCount count, bool withValues)
    {
        if (!HashKey.TryOpenForReading(ref context, out HashValue hash))
            return;
        long visible = count.Elements == 0 ? 0 : HashKey.VisibleFields(in context, in hash);
        if (!count.TryGetReplies(ref context, visible, hash.Record.Contents.MemoryBytes, out int replies))
            return;
        bool isNested = withValues && context.Reply.ProtocolVersion > 2;
        context.Reply.WriteArray(withValues && !isNested ? checked(replies * 2) : replies);
        if (replies == 0)
            return;
        if (count.IsDistinct && replies == visible)
        {
            foreach (HashField field in hash)
                Write(ref context, in field, withValues, isNested);
            return;
        }

        foreach (HashField field in hash.Sample(replies, count.IsDistinct))
            Write(ref context, in field, withValues, isNested);
    }

    private static void Write(ref CommandContext context, scoped in HashField field, bool withValues, bool isNested)
    {
        if (isNested)
            context.Reply.WriteArray(2);
        context.Reply.WriteBulk(field.Field);
        if (withValues)
            context.Reply.WriteBulk(field.Value);
    }
}
