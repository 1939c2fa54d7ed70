// LINDEX key index
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Protocol;
using Garnet.Store;
using Garnet.Store.Collections.Lists;

namespace Garnet.Commands.Lists;

/// <summary>Replies with the element at an index; negative ones count from the end.</summary>
internal static class LIndexCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "LINDEX",
        Arity = 3,
        Flags = CommandFlags.ReadOnly,
        Group = CommandGroup.List,
        Since = "1.0.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RO | KeySpecFlags.Access)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        bool isInteger = IntegerText.TryParse(context[2], out long index);
        ElementReplyReader reader = new(context.Reply, index);
        ReadOutcome outcome = context.Read(1, RecordType.List, ref reader);
        if (outcome == ReadOutcome.Found && isInteger && reader.IsWritten)
        {
            reader.Commit(ref context.Reply);
            return;
        }

        reader.Abandon(ref context.Reply);
        if (outcome == ReadOutcome.WrongType)
            context.Reply.WriteError(ErrorText.WrongType);
        else if (outcome == ReadOutcome.Found && !isInteger)
            context.Reply.WriteError(ErrorText.NotInteger);
        else if (reader.IsTooLarge)
            ReplyWithLargeElement(ref context, index);
        else
            context.Reply.WriteNull();
    }

    // The list may have changed or disappeared since the first lookup.
    private static void ReplyWithLargeElement(ref CommandContext context, long index)
    {
        if (!ListKey.TryOpen(ref context, 1, out ListValue list))
            return;
        if (index < 0)
            index += list.Length;
        if (index >= 0 && index < list.Length)
            context.Reply.WriteBulk(list.At(index));
        else
            context.Reply.WriteNull();
    }
}
