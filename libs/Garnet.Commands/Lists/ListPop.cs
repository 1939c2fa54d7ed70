// Shared implementation of the list commands that pop. Stateless.
using Garnet.Engine.Arguments;
using Garnet.Engine.Execution;
using Garnet.Store.Collections.Lists;

namespace Garnet.Commands.Lists;

/// <summary>Removes elements from one end and replies with them.</summary>
internal static class ListPop
{
    /// <summary>Executes <c>name key [count]</c>.</summary>
    public static void Execute(ref CommandContext context, ListEnd end)
    {
        bool hasCount = context.Count == 3;
        if (context.Count > 3)
        {
            context.WriteArityError();
            return;
        }

        long count = 1;
        if ((hasCount && !BoundedArgument.TryGetNatural(ref context, 2, out count)) || !ListKey.TryOpen(ref context, 1, out ListValue list))
            return;
        if (!hasCount && list.Exists)
            PopOne(ref context, 1, ref list, end);
        else if (!hasCount)
            context.Reply.WriteNull();
        else if (!list.Exists)
            context.Reply.WriteNullArray();
        else
            PopMany(ref context, 1, ref list, end, Math.Min(count, list.Length));
    }

    /// <summary>
    /// Pops from the first non-empty list, replies with its key and the elements, and describes the effect; false if all lists are empty.
    /// Replies with an error if an earlier key holds another type.
    /// </summary>
    public static bool TryPopMany(ref CommandContext context, in MultiPopArguments arguments)
    {
        for (int i = 0; i < arguments.Keys; i++)
        {
            int key = arguments.FirstKey + i;
            if (!ListKey.TryOpen(ref context, key, out ListValue list))
                return true;
            if (!list.Exists)
                continue;
            long count = Math.Min(arguments.Count, list.Length);
            context.Reply.WriteArray(2);
            context.Reply.WriteBulk(context[key]);
            PopMany(ref context, key, ref list, arguments.IsLast ? ListEnd.Right : ListEnd.Left, count);
            if (context.HasSink)
                context.BeginEffect(3).Add(arguments.IsLast ? "RPOP"u8 : "LPOP"u8).Add(context[key]).Add(count);
            return true;
        }

        return false;
    }

    /// <summary>Pops an element from the non-empty list of a key, and replies with it.</summary>
    public static void PopOne(ref CommandContext context, int key, ref ListValue list, ListEnd end)
    {
        long index = end == ListEnd.Left ? 0 : list.Length - 1;
        context.Reply.WriteBulk(list.At(index));
        list.RemoveRange(index, 1);
        context.Notify(ListEvents.PopAt(end), key);
    }

    private static void PopMany(ref CommandContext context, int key, ref ListValue list, ListEnd end, long count)
    {
        context.Reply.WriteArray((int)count);
        if (count == 0)
            return;
        long length = list.Length;
        bool isLeft = end == ListEnd.Left;
        foreach (ReadOnlySpan<byte> element in list.Range(isLeft ? 0 : length - 1, count, isReverse: !isLeft))
            context.Reply.WriteBulk(element);
        list.RemoveRange(isLeft ? 0 : length - count, count);
        context.Notify(ListEvents.PopAt(end), key);
        context.CountChanges(count);
    }
}
