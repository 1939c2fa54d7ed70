// A rectangle in degrees. Immutable.
namespace Garnet.Commands.Geo;

/// <summary>A range of longitudes and a range of latitudes, in degrees.</summary>
internal readonly record struct GeoBounds(double West, double South, double East, double North)
{
    /// <summary>The bounds of encoded positions, which exclude the poles.</summary>
    public static GeoBounds Coded => new(-GeoPoint.MaxLongitude, -GeoPoint.MaxLatitude, GeoPoint.MaxLongitude, GeoPoint.MaxLatitude);

    /// <summary>The whole Earth: the bounds of standard geohashes.</summary>
    public static GeoBounds Earth => new(-180, -90, 180, 90);
}
