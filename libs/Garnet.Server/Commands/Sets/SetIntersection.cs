// What SINTER, SINTERSTORE and SINTERCARD share. Stateless; the sets are latched.
using Garnet.Protocol;
using Garnet.Store;

namespace Garnet.Server.Commands.Sets;

/// <summary>Walks the smallest set and asks the others for each member.</summary>
internal static class SetIntersection
{
    /// <summary>Replies with the members; their number is known last, so they are written aside first.</summary>
    public static void Reply(ref CommandContext context, in SetSources sources)
    {
        ReplyBuffer aside = context.Worker.Aside;
        aside.Clear();
        int members = 0;
        if (sources.Missing == 0)
        {
            RespWriter writer = new(aside, context.Reply.ProtocolVersion);
            foreach (ReadOnlySpan<byte> member in sources.Open(ref context, sources.Smallest))
            {
                if (!sources.AreSharing(ref context, sources.Smallest, member))
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
        foreach (ReadOnlySpan<byte> member in sources.Open(ref context, sources.Smallest))
        {
            if (sources.AreSharing(ref context, sources.Smallest, member) && ++members == limit)
                break;
        }

        return members;
    }

    /// <summary>Adds the members to a set under no key.</summary>
    public static void AddTo(ref CommandContext context, in SetSources sources, scoped ref SetValue result)
    {
        if (sources.Missing > 0)
            return;
        foreach (ReadOnlySpan<byte> member in sources.Open(ref context, sources.Smallest))
        {
            if (sources.AreSharing(ref context, sources.Smallest, member))
                result.Add(StoreSession.CopyAside(member));
        }
    }
}
