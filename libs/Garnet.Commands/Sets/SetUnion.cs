// Shared implementation of SUNION and SUNIONSTORE. Stateless; the sets are latched.
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store.Collections;
using Garnet.Store.Collections.Sets;

namespace Garnet.Commands.Sets;

/// <summary>Collects the members of all sets without duplicates.</summary>
internal static class SetUnion
{
    /// <summary>
    /// Replies with the members: directly if the sets are so large that the reply's order is arbitrary, otherwise from the set that
    /// SUNIONSTORE would build.
    /// </summary>
    public static void Reply(ref CommandContext context, in SetSources sources)
    {
        if (sources.TotalMembers > MemberTable.MaxMembers || (context.MayReplyInPieces && sources.IsLarge(ref context)))
        {
            var large = SetValue.Detached(context.Store);
            AddTo(ref context, in sources, ref large);
            SetResult.Reply(ref context, ref large);
            return;
        }

        MemberTable members = Gather(ref context, in sources);
        if (members.Count > SetResult.MaxInOrder(in context))
        {
            context.Reply.WriteSet(members.Count);
            for (int i = 0; i < members.Count; i++)
                context.Reply.WriteBulk(members.Member(i));
        }
        else
        {
            var result = SetValue.Detached(context.Store);
            AddAll(in context, members, ref result);
            SetResult.Reply(ref context, ref result);
        }

        members.End();
    }

    /// <summary>Adds the members to a detached set, which also detects duplicates if there are very many members.</summary>
    public static void AddTo(ref CommandContext context, in SetSources sources, scoped ref SetValue result)
    {
        if (sources.TotalMembers <= MemberTable.MaxMembers)
        {
            MemberTable members = Gather(ref context, in sources);
            AddAll(in context, members, ref result);
            members.End();
            return;
        }

        for (int i = 0; i < sources.Count; i++)
        {
            foreach (ReadOnlySpan<byte> member in sources.Open(ref context, i))
                result.Add(ElementScratch.Current.Copy(member));
        }
    }

    private static MemberTable Gather(ref CommandContext context, in SetSources sources)
    {
        MemberTable members = context.Scratch.Pools.Members;
        members.Begin(sources.TotalMembers);
        for (int i = 0; i < sources.Count; i++)
        {
            foreach (ReadOnlySpan<byte> member in sources.Open(ref context, i))
                members.Add(context.Store, member, out _);
        }

        return members;
    }

    private static void AddAll(in CommandContext context, MemberTable members, scoped ref SetValue result)
    {
        // The result will be a hashtable whatever its members are, so it need not start as an intset.
        if (members.Count > SetResult.MaxInOrder(in context))
        {
            result.AddAll(ref members);
            return;
        }

        for (int i = 0; i < members.Count; i++)
            result.AddNew(members.Member(i));
    }
}
