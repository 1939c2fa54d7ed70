// The table of geospatial commands.
using Garnet.Engine.Execution;

namespace Garnet.Commands.Geo;

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
