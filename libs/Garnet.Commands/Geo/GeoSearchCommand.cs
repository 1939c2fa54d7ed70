// GEOSEARCH key FROMMEMBER member | FROMLONLAT longitude latitude BYRADIUS radius unit | BYBOX width height unit | BYPOLYGON n ... [ASC |
// DESC] [COUNT count [ANY]] [WITHCOORD] [WITHDIST] [WITHHASH]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.Geo;

/// <summary>Finds the members within an area.</summary>
internal static class GeoSearchCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "GEOSEARCH",
        Arity = -7,
        Flags = CommandFlags.ReadOnly,
        Group = CommandGroup.Geo,
        Since = "6.2.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RO | KeySpecFlags.Access)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context) => GeoSearch.Execute(ref context, GeoForm.Search);
}
