// Shared implementation of SDIFF and SDIFFSTORE. Stateless; the sets are latched.
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Protocol;
using Garnet.Store.Collections;
using Garnet.Store.Collections.Sets;

namespace Garnet.Commands.Sets;

/// <summary>Computes the members of the first set that are in no other set.</summary>
internal static class SetDifference
{
    /// <summary>
    /// Replies with the members: directly if the first set is so large that the reply's order is arbitrary, otherwise from the set that
    /// SDIFFSTORE would build.
    /// </summary>
    public static void Reply(ref CommandContext context, in SetSources sources)
    {
        var result = SetValue.Detached(context.Store);
        if (
            sources.FirstMembers == 0
            || sources.IsFirstRepeated(in context)
            || !LooksUp(in sources)
            || (context.MayReplyInPieces && sources.MemoryBytes(ref context, 0) >= CollectionSnapshot.LargeBytes)
        )
        {
            AddTo(ref context, in sources, ref result);
            SetResult.Reply(ref context, ref result);
            return;
        }

        long mostInOrder = SetResult.MaxInOrder(in context);
        DeferredReply deferred = context.Scratch.Deferred;
        deferred.Clear();
        RespWriter writer = new(deferred, context.Reply.ProtocolVersion);
        int found = 0;
        SetProbe probe = default;
        SetEnumerator members = sources.Open(ref context, 0).GetEnumerator();
        while (members.MoveNext())
        {
            if (!probe.NoneContains(ref context, in sources, members.Member))
                continue;
            SetResult.Write(ref writer, members.Element);
            if (++found <= mostInOrder)
                result.AddNew(members.Element);
        }

        writer.Flush();
        if (found <= mostInOrder)
        {
            deferred.Clear();
            SetResult.Reply(ref context, ref result);
        }
        else
        {
            result.Discard();
            context.Reply.WriteSet(found);
            deferred.MoveTo(ref context.Reply);
        }
    }

    /// <summary>Adds the members to a detached set.</summary>
    public static void AddTo(ref CommandContext context, in SetSources sources, scoped ref SetValue result)
    {
        if (sources.FirstMembers == 0 || sources.IsFirstRepeated(in context))
            return;
        bool looksUp = LooksUp(in sources);
        SetProbe probe = default;
        SetEnumerator members = sources.Open(ref context, 0).GetEnumerator();
        while (members.MoveNext())
        {
            if (!looksUp || probe.NoneContains(ref context, in sources, members.Member))
                result.AddNew(members.Element);
        }

        for (int i = 1; i < sources.Count && !looksUp; i++)
        {
            foreach (ReadOnlySpan<byte> member in sources.Open(ref context, i))
            {
                result.Remove(ElementScratch.Current.Copy(member));
                if (!result.Exists)
                    return;
            }
        }
    }

    // The algorithm is chosen as in Valkey, because the encoding of the result depends on it.
    private static bool LooksUp(in SetSources sources) =>
        sources.FirstMembers * (sources.Count - sources.Missing) / 2 <= sources.TotalMembers;
}
