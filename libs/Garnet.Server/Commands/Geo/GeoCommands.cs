// The table of geospatial commands.
using Garnet.Server.CommandModel;

namespace Garnet.Server.Commands.Geo;

/// <summary>Registers the geospatial commands.</summary>
internal static class GeoCommands
{
    public static CommandDescriptor[] All =>
        [
            GeoAddCommand.Descriptor,
            GeoDistCommand.Descriptor,
            GeoHashCommand.Descriptor,
            GeoPosCommand.Descriptor,
            GeoRadiusByMemberCommand.Descriptor,
            GeoRadiusByMemberRoCommand.Descriptor,
            GeoRadiusCommand.Descriptor,
            GeoRadiusRoCommand.Descriptor,
            GeoSearchCommand.Descriptor,
            GeoSearchStoreCommand.Descriptor,
        ];
}
