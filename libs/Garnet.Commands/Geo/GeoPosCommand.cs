// GEOPOS key [member [member ...]]
using Garnet.Commands.SortedSets;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store.Collections.SortedSets;

namespace Garnet.Commands.Geo;

/// <summary>Replies with the positions of members.</summary>
internal static class GeoPosCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "GEOPOS",
        Arity = -2,
        Flags = CommandFlags.ReadOnly,
        Group = CommandGroup.Geo,
        Since = "3.2.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RO | KeySpecFlags.Access)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (!SortedSetKey.TryOpenForReading(ref context, out SortedSetValue members))
            return;
        context.Reply.WriteArray(context.Count - 2);
        for (int i = 2; i < context.Count; i++)
        {
            if (members.TryGetScore(context[i], out double score))
                GeoReply.WritePosition(ref context.Reply, GeoCell.Decode(score));
            else
                context.Reply.WriteNullArray();
        }
    }
}
