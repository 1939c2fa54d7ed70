// GET key
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store;

namespace Garnet.Commands.Strings;

/// <summary>Replies with the string at a key.</summary>
internal static class GetCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "GET",
        Arity = 2,
        Flags = CommandFlags.ReadOnly | CommandFlags.Fast,
        Group = CommandGroup.String,
        Since = "1.0.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RO | KeySpecFlags.Access)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context) => ReplyWithString(ref context, 1);

    /// <summary>Replies with the string at a key: a bulk string, null, or the error for a wrong type.</summary>
    internal static void ReplyWithString(ref CommandContext context, int keyArgument)
    {
        BulkReplyReader reader = new(context.Reply);
        ReadOutcome outcome = context.Read(keyArgument, RecordType.String, ref reader);
        if (outcome == ReadOutcome.Found && !reader.IsTooLarge)
        {
            reader.Commit(ref context.Reply);
            return;
        }

        reader.Abandon(ref context.Reply);
        if (outcome == ReadOutcome.Found)
            ReplyWithLargeString(ref context, keyArgument);
        else if (outcome == ReadOutcome.Missing)
            context.Reply.WriteNull();
        else
            context.Reply.WriteError(ErrorText.WrongType);
    }

    // The value may have changed or disappeared since the first lookup.
    private static void ReplyWithLargeString(ref CommandContext context, int keyArgument)
    {
        RecordHandle record = context.Open(keyArgument);
        if (!record.Exists)
            context.Reply.WriteNull();
        else if (record.Type != RecordType.String)
            context.Reply.WriteError(ErrorText.WrongType);
        else
            context.WriteString(in record);
    }
}
