// LPOS key element [RANK rank] [COUNT num-matches] [MAXLEN len]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Protocol;
using Garnet.Store.Collections.Lists;

namespace Garnet.Commands.Lists;

/// <summary>Replies with the indexes of matching elements.</summary>
internal static class LPosCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "LPOS",
        Arity = -3,
        Flags = CommandFlags.ReadOnly,
        Group = CommandGroup.List,
        Since = "6.0.6",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RO | KeySpecFlags.Access)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (
            !PositionOptions.TryParse(ref context, out PositionOptions options)
            || !ListKey.TryOpenForReading(ref context, out ListValue list)
        )
        {
            return;
        }

        if (options.Count >= 0)
            ReplyWithPositions(ref context, in list, in options);
        else if (TryFind(in list, context[2], in options, out long index))
            context.Reply.WriteInteger(index);
        else
            context.Reply.WriteNull();
    }

    private static bool TryFind(in ListValue list, ReadOnlySpan<byte> element, in PositionOptions options, out long index)
    {
        index = -1;
        ListSearch search = options.SearchIn(in list, element);
        for (long rank = 1; rank <= options.Rank; rank++)
        {
            if (!search.TryNext(out index))
                return false;
        }

        return true;
    }

    // The number of matches is known last, but comes first in the reply.
    private static void ReplyWithPositions(ref CommandContext context, in ListValue list, in PositionOptions options)
    {
        DeferredReply deferred = context.Scratch.Deferred;
        deferred.Clear();
        RespWriter writer = new(deferred, context.Reply.ProtocolVersion);
        ListSearch search = options.SearchIn(in list, context[2]);
        long matches = 0;
        int written = 0;
        while ((options.Count == 0 || written < options.Count) && search.TryNext(out long index))
        {
            if (++matches < options.Rank)
                continue;
            writer.WriteInteger(index);
            written++;
        }

        writer.Flush();
        context.Reply.WriteArray(written);
        deferred.MoveTo(ref context.Reply);
    }
}
