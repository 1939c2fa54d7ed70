// Shared implementation of LPUSH, RPUSH, LPUSHX and RPUSHX. Stateless.
using Garnet.Engine.Execution;
using Garnet.Store.Collections.Lists;

namespace Garnet.Commands.Lists;

/// <summary>Pushes the arguments after the key, and replies with the list's length.</summary>
internal static class ListPush
{
    private const int FirstElement = 2;

    public static void Execute(ref CommandContext context, ListEnd end, bool onlyExisting)
    {
        if (!ListKey.TryOpen(ref context, 1, out ListValue list))
            return;
        if (onlyExisting && !list.Exists)
        {
            context.Reply.WriteInteger(0);
            return;
        }

        long bytes = 0;
        for (int i = FirstElement; i < context.Count; i++)
            bytes += context[i].Length;
        list.Expect(context.Count - FirstElement, bytes);
        for (int i = FirstElement; i < context.Count; i++)
        {
            Push(ref list, context[i], end);
            context.ReleaseBefore(i + 1);
        }

        context.Notify(ListEvents.PushAt(end), 1);
        context.CountChanges(context.Count - FirstElement);
        context.Reply.WriteInteger(list.Length);
    }

    /// <summary>Pushes an element at one end.</summary>
    public static void Push(ref ListValue list, ReadOnlySpan<byte> element, ListEnd end)
    {
        if (end == ListEnd.Left)
            list.PushFirst(element);
        else
            list.PushLast(element);
    }
}
