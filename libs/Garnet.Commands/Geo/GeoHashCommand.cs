// GEOHASH key [member [member ...]]
using Garnet.Commands.SortedSets;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store.Collections.SortedSets;

namespace Garnet.Commands.Geo;

/// <summary>Replies with the standard geohashes of members.</summary>
internal static class GeoHashCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "GEOHASH",
        Arity = -2,
        Flags = CommandFlags.ReadOnly,
        Group = CommandGroup.Geo,
        Since = "3.2.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RO | KeySpecFlags.Access)],
        Handler = Execute,
    };

    private const int Characters = 11;
    private static ReadOnlySpan<byte> Alphabet => "0123456789bcdefghjkmnpqrstuvwxyz"u8;

    private static void Execute(ref CommandContext context)
    {
        if (!SortedSetKey.TryOpenForReading(ref context, out SortedSetValue members))
            return;
        context.Reply.WriteArray(context.Count - 2);
        for (int i = 2; i < context.Count; i++)
        {
            if (members.TryGetScore(context[i], out double score))
                Write(ref context, GeoCell.Decode(score));
            else
                context.Reply.WriteNull();
        }
    }

    // Encodes again, because positions here exclude the poles and standard geohashes do not. 52 bits are ten characters; the eleventh is
    // zero.
    private static void Write(ref CommandContext context, GeoPoint position)
    {
        ulong bits = GeoCell.Of(position, GeoCell.MaxSteps, GeoBounds.Earth).Bits;
        Span<byte> text = stackalloc byte[Characters];
        for (int i = 0; i < Characters - 1; i++)
            text[i] = Alphabet[(int)(bits >> (47 - (5 * i))) & 31];
        text[^1] = Alphabet[0];
        context.Reply.WriteBulk(text);
    }
}
