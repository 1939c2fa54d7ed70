// Shared implementation of LMOVE, RPOPLPUSH and their blocking forms. Stateless.
using Garnet.Engine.Execution;
using Garnet.Protocol;
using Garnet.Store.Collections;
using Garnet.Store.Collections.Lists;

namespace Garnet.Commands.Lists;

/// <summary>Moves an element from the list in argument 1 to the list in argument 2, which may be the same.</summary>
internal static class ListMove
{
    /// <summary>Moves an element and replies with it, or with the error for a wrong type; false if the source is absent.</summary>
    /// <param name="context">The command's context.</param>
    /// <param name="from">The end of the source.</param>
    /// <param name="to">The end of the destination.</param>
    /// <param name="hasLooked">Whether Valkey looks up the source before it moves the element, which counts as one more access.</param>
    public static bool TryMove(ref CommandContext context, ListEnd from, ListEnd to, bool hasLooked = false)
    {
        context.LatchKeys(1, 1, 2);
        if (!ListKey.TryOpen(ref context, 1, out ListValue source))
            return true;
        if (!source.Exists)
            return false;
        if (hasLooked)
            source.Record.Usage.UseAgain();
        if (context[1].SequenceEqual(context[2]))
            MoveWithin(ref context, ref source, from, to);
        else if (ListKey.TryOpen(ref context, 2, out ListValue target))
            Move(ref context, ref source, ref target, from, to);
        return true;
    }

    private static void Move(ref CommandContext context, ref ListValue source, ref ListValue target, ListEnd from, ListEnd to)
    {
        long index = from == ListEnd.Left ? 0 : source.Length - 1;
        ReadOnlySpan<byte> element = ElementScratch.Current.Copy(source.At(index));
        // An integer from a quicklist counts as zero bytes in the estimate of the destination's size, as in Valkey.
        bool countsNothing = IntegerText.TryParse(element, out _) && source.Encoding.SequenceEqual("quicklist"u8);
        target.Expect(1, countsNothing ? 0 : element.Length);
        ListPush.Push(ref target, element, to);
        context.Notify(ListEvents.PushAt(to), 2);
        source.RemoveRange(index, 1);
        context.Notify(ListEvents.PopAt(from), 1);
        context.Reply.WriteBulk(element);
    }

    private static void MoveWithin(ref CommandContext context, ref ListValue list, ListEnd from, ListEnd to)
    {
        ReadOnlySpan<byte> element = ElementScratch.Current.Copy(list.At(from == ListEnd.Left ? 0 : list.Length - 1));
        context.Reply.WriteBulk(element);
        list.Record.Usage.UseAgain();
        list.Rotate(element, from == ListEnd.Left, to == ListEnd.Left);
        context.Notify(ListEvents.PushAt(to), 2);
        context.Notify(ListEvents.PopAt(from), 1);
    }
}
