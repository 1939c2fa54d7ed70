// The events of commands for geospatial data. Constants.
using Garnet.Engine.Events;

namespace Garnet.Commands.Geo;

/// <summary>The keyspace events of these commands, besides those of sorted sets.</summary>
internal static class GeoEvents
{
    public static readonly KeyEvent SearchStore = new(KeyEventClasses.SortedSet, "geosearchstore");

    public static readonly KeyEvent RadiusStore = new(KeyEventClasses.SortedSet, "georadiusstore");
}
