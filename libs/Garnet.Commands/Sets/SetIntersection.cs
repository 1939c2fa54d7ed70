// Shared implementation of SINTER, SINTERSTORE and SINTERCARD. Stateless; the sets are latched.
using System.Buffers;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Protocol;
using Garnet.Store.Collections;
using Garnet.Store.Collections.Sets;

namespace Garnet.Commands.Sets;

/// <summary>Iterates over the smallest set and looks up each member in the others.</summary>
internal static class SetIntersection
{
    /// <summary>
    /// Replies with the members. Their number is known last but comes first, so they are collected first; if the smallest set is large, in
    /// a detached set, from which the reply is written in pieces.
    /// </summary>
    public static void Reply(ref CommandContext context, in SetSources sources)
    {
        if (
            context.MayReplyInPieces
            && sources.Missing == 0
            && sources.MemoryBytes(ref context, sources.Smallest) >= CollectionSnapshot.LargeBytes
        )
        {
            var result = SetValue.Detached(context.Store);
            AddTo(ref context, in sources, ref result);
            SetResult.Reply(ref context, ref result);
            return;
        }

        DeferredReply deferred = context.Scratch.Deferred;
        deferred.Clear();
        int members = 0;
        if (sources.Missing == 0)
        {
            RespWriter writer = new(deferred, context.Reply.ProtocolVersion);
            SetProbe probe = default;
            SetEnumerator smallest = sources.Open(ref context, sources.Smallest).GetEnumerator();
            while (smallest.MoveNext())
            {
                if (!probe.AllContain(ref context, in sources, smallest.Member))
                    continue;
                SetResult.Write(ref writer, smallest.Element);
                members++;
            }

            writer.Flush();
        }

        context.Reply.WriteSet(members);
        deferred.MoveTo(ref context.Reply);
    }

    /// <summary>The number of members, up to the limit (0 for none).</summary>
    public static long Count(ref CommandContext context, in SetSources sources, long limit)
    {
        if (sources.Missing > 0)
            return 0;
        long members = 0;
        SetProbe probe = default;
        SetEnumerator smallest = sources.Open(ref context, sources.Smallest).GetEnumerator();
        while (smallest.MoveNext())
        {
            if (probe.AllContain(ref context, in sources, smallest.Member) && ++members == limit)
                break;
        }

        return members;
    }

    /// <summary>
    /// Adds the members to a detached set. Unless the smallest set is an intset, the result is built as another encoding, and converted to
    /// an intset at the end if all members are integers and there are few enough of them.
    /// </summary>
    public static void AddTo(ref CommandContext context, in SetSources sources, scoped ref SetValue result)
    {
        if (sources.Missing > 0)
            return;
        SetValue smallest = sources.Open(ref context, sources.Smallest);
        if (smallest.Encoding.SequenceEqual("intset"u8))
        {
            AddIntegers(ref context, in sources, in smallest, ref result);
            return;
        }

        result.Expect(1, default);
        bool areIntegers = true;
        SetProbe probe = default;
        SetEnumerator members = smallest.GetEnumerator();
        while (members.MoveNext())
        {
            if (!probe.AllContain(ref context, in sources, members.Member))
                continue;
            areIntegers = areIntegers && members.Element.IsInteger;
            result.AddNew(members.Element);
        }

        if (areIntegers && result.Length <= context.Store.Store.CollectionLimits.SetMaxIntSetEntries)
            BecomeIntegers(ref context, ref result);
    }

    private static void AddIntegers(
        ref CommandContext context,
        in SetSources sources,
        scoped in SetValue smallest,
        scoped ref SetValue result
    )
    {
        long[] shared = ArrayPool<long>.Shared.Rent((int)smallest.Length);
        int count = 0;
        SetProbe probe = default;
        SetEnumerator members = smallest.GetEnumerator();
        while (members.MoveNext())
        {
            if (probe.AllContain(ref context, in sources, members.Member))
                shared[count++] = members.Element.Integer;
        }

        result.AddIntegers(shared.AsSpan(0, count));
        ArrayPool<long>.Shared.Return(shared);
    }

    private static void BecomeIntegers(ref CommandContext context, scoped ref SetValue result)
    {
        var integers = SetValue.Detached(context.Store);
        SetEnumerator members = result.GetEnumerator();
        while (members.MoveNext())
            integers.AddNew(members.Element);
        result.Discard();
        result = integers;
    }
}
