// GEOSEARCHSTORE destination source FROM... BY... [ASC | DESC] [COUNT count [ANY]] [STOREDIST]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.Geo;

/// <summary>Stores the members within an area in another key.</summary>
internal static class GeoSearchStoreCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "GEOSEARCHSTORE",
        Arity = -8,
        Flags = CommandFlags.Write | CommandFlags.DenyOom,
        Group = CommandGroup.Geo,
        Since = "6.2.0",
        Keys =
        [
            KeySpec.Range(1, 0, 1, KeySpecFlags.OW | KeySpecFlags.Update),
            KeySpec.Range(2, 0, 1, KeySpecFlags.RO | KeySpecFlags.Access),
        ],
        Event = GeoEvents.SearchStore,
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context) => GeoSearch.Execute(ref context, GeoForm.Search | GeoForm.SearchStore);
}
