// A box of coordinates. Immutable.
namespace Garnet.Server.Commands.Geo;

/// <summary>From a western to an eastern longitude and from a southern to a northern latitude, in degrees.</summary>
internal readonly record struct GeoBounds(double West, double South, double East, double North)
{
    /// <summary>What positions are coded in.</summary>
    public static GeoBounds Coded => new(-GeoPoint.MaxLongitude, -GeoPoint.MaxLatitude, GeoPoint.MaxLongitude, GeoPoint.MaxLatitude);

    /// <summary>The whole Earth, as the geohashes that people exchange have it.</summary>
    public static GeoBounds Earth => new(-180, -90, 180, 90);
}
