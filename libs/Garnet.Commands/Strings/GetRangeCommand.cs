// GETRANGE key start end
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store;

namespace Garnet.Commands.Strings;

/// <summary>Replies with a substring of the string at a key.</summary>
internal static class GetRangeCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "GETRANGE",
        Arity = 4,
        Flags = CommandFlags.ReadOnly,
        Group = CommandGroup.String,
        Since = "2.4.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RO | KeySpecFlags.Access)],
        Handler = Execute,
    };

    internal static void Execute(ref CommandContext context)
    {
        if (!context.TryGetInteger(2, out long start) || !context.TryGetInteger(3, out long end))
            return;
        SubstringReplyReader reader = new(context.Reply, start, end);
        ReadOutcome outcome = context.Read(1, RecordType.String, ref reader);
        if (outcome == ReadOutcome.Found && !reader.IsTooLarge)
        {
            reader.Commit(ref context.Reply);
            return;
        }

        reader.Abandon(ref context.Reply);
        if (outcome == ReadOutcome.Found)
            ReplyWithLargePart(ref context, start, end);
        else if (outcome == ReadOutcome.Missing)
            context.Reply.WriteBulk(default(ReadOnlySpan<byte>));
        else
            context.Reply.WriteError(ErrorText.WrongType);
    }

    // The value may have changed or disappeared since the first lookup.
    private static void ReplyWithLargePart(ref CommandContext context, long start, long end)
    {
        RecordHandle record = context.Open(1);
        if (record.Exists && record.Type != RecordType.String)
            context.Reply.WriteError(ErrorText.WrongType);
        else
            context.Reply.WriteBulk(record.Exists ? SubstringReplyReader.Slice(record.Value, start, end) : default);
    }
}
