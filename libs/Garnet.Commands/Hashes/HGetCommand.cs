// HGET key field
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store;
using Garnet.Store.Collections.Hashes;

namespace Garnet.Commands.Hashes;

/// <summary>Replies with the value of a field.</summary>
internal static class HGetCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "HGET",
        Arity = 3,
        Flags = CommandFlags.ReadOnly | CommandFlags.Fast,
        Group = CommandGroup.Hash,
        Since = "2.0.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RO | KeySpecFlags.Access)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context) => ReplyWithField(ref context, 1, context[2]);

    /// <summary>Replies with the value of a field of the hash at a key: a bulk string, null, or the error for a wrong type.</summary>
    internal static void ReplyWithField(ref CommandContext context, int keyArgument, ReadOnlySpan<byte> field)
    {
        FieldReplyReader reader = new(field, context.ExpiryNowMs, context.Reply);
        ReadOutcome outcome = context.Read(keyArgument, RecordType.Hash, ref reader);
        bool isWritten = outcome == ReadOutcome.Found && reader.IsFound && !reader.IsTooLong;
        reader.End(ref context.Reply, isWritten);
        if (isWritten)
            return;
        if (outcome == ReadOutcome.WrongType)
            context.Reply.WriteError(ErrorText.WrongType);
        else if (outcome == ReadOutcome.Found && reader.IsFound)
            ReplyWithLongValue(ref context, keyArgument, field);
        else
            context.Reply.WriteNull();
    }

    // The value may have changed or disappeared since the first lookup.
    private static void ReplyWithLongValue(ref CommandContext context, int keyArgument, ReadOnlySpan<byte> field)
    {
        if (!context.TryOpen(keyArgument, RecordType.Hash, countsLookup: false, out RecordHandle record))
            return;
        if (new HashValue(record).TryGet(field, out ReadOnlySpan<byte> value))
            context.Reply.WriteBulk(value);
        else
            context.Reply.WriteNull();
    }
}
