// What SINTER, SINTERSTORE and SINTERCARD share. Stateless; the sets are latched.
using Garnet.Protocol;
using Garnet.Store;

namespace Garnet.Server.Commands.Sets;

/// <summary>Walks the smallest set and asks the others for each member.</summary>
internal static class SetIntersection
{
    /// <summary>Replies with the members; their number is known last, so they are gathered first: those of a large smallest set in a set of their own, from which the reply is written in pieces.</summary>
    public static void Reply(ref CommandContext context, in SetSources sources)
    {
        if (context.MayReplyInPieces && sources.Missing == 0 && sources.MemoryBytes(ref context, sources.Smallest) >= CollectionPicture.LargeBytes)
        {
            SetValue result = SetValue.Detached(context.Store);
            AddTo(ref context, in sources, ref result);
            SetResult.Reply(ref context, ref result);
            return;
        }

        ReplyBuffer aside = context.Worker.Aside;
        aside.Clear();
        int members = 0;
        if (sources.Missing == 0)
        {
            RespWriter writer = new(aside, context.Reply.ProtocolVersion);
            SetProbe probe = default;
            foreach (ReadOnlySpan<byte> member in sources.Open(ref context, sources.Smallest))
            {
                if (!probe.AreSharing(ref context, in sources, sources.Smallest, member))
                    continue;
                writer.WriteBulk(member);
                members++;
            }

            writer.Flush();
        }

        context.Reply.WriteSet(members);
        context.Reply.WriteRaw(aside.Written);
        context.Worker.TrimAside();
    }

    /// <summary>The number of members, or the limit (0 for none) when there are more.</summary>
    public static long Count(ref CommandContext context, in SetSources sources, long limit)
    {
        if (sources.Missing > 0)
            return 0;
        long members = 0;
        SetProbe probe = default;
        foreach (ReadOnlySpan<byte> member in sources.Open(ref context, sources.Smallest))
        {
            if (probe.AreSharing(ref context, in sources, sources.Smallest, member) && ++members == limit)
                break;
        }

        return members;
    }

    /// <summary>Adds the members to a set under no key. Unless the smallest set is of integers, they are gathered as others are, and become integers at the end if they all are and few enough.</summary>
    public static void AddTo(ref CommandContext context, in SetSources sources, scoped ref SetValue result)
    {
        if (sources.Missing > 0)
            return;
        SetValue smallest = sources.Open(ref context, sources.Smallest);
        bool mayBecomeIntegers = !smallest.Encoding.SequenceEqual("intset"u8);
        if (mayBecomeIntegers)
            result.Expect(1, default);
        SetProbe probe = default;
        foreach (ReadOnlySpan<byte> member in smallest)
        {
            if (!probe.AreSharing(ref context, in sources, sources.Smallest, member))
                continue;
            mayBecomeIntegers = mayBecomeIntegers && IntegerText.TryParse(member, out _);
            result.AddNew(StoreSession.CopyAside(member));
        }

        if (mayBecomeIntegers && result.Length <= context.Server.Store.CollectionLimits.SetMaxIntSetEntries)
            BecomeIntegers(ref context, ref result);
    }

    private static void BecomeIntegers(ref CommandContext context, scoped ref SetValue result)
    {
        SetValue integers = SetValue.Detached(context.Store);
        foreach (ReadOnlySpan<byte> member in result)
            integers.AddNew(StoreSession.CopyAside(member));
        result.Discard();
        result = integers;
    }
}
