// GEODIST key member1 member2 [M | KM | FT | MI]
using Garnet.Commands.SortedSets;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store.Collections.SortedSets;

namespace Garnet.Commands.Geo;

/// <summary>Replies with the distance between two members.</summary>
internal static class GeoDistCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "GEODIST",
        Arity = -4,
        Flags = CommandFlags.ReadOnly,
        Group = CommandGroup.Geo,
        Since = "3.2.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RO | KeySpecFlags.Access)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        double metres = 1;
        if (context.Count == 5 && !GeoArguments.TryGetUnit(ref context, 4, out metres))
            return;
        if (context.Count > 5)
        {
            context.Reply.WriteError(ErrorText.Syntax);
            return;
        }

        if (!SortedSetKey.TryOpenForReading(ref context, out SortedSetValue members))
            return;
        if (members.TryGetScore(context[2], out double first) && members.TryGetScore(context[3], out double second))
            GeoReply.WriteDistance(ref context.Reply, GeoCell.Decode(first).MetresTo(GeoCell.Decode(second)) / metres);
        else
            context.Reply.WriteNull();
    }
}
