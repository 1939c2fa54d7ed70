// A position on the Earth. Immutable.
namespace Garnet.Commands.Geo;

/// <summary>Longitude and latitude in degrees.</summary>
internal readonly record struct GeoPoint(double Longitude, double Latitude)
{
    /// <summary>Largest absolute longitude.</summary>
    public const double MaxLongitude = 180;

    /// <summary>Largest absolute latitude: the Mercator projection excludes the poles.</summary>
    public const double MaxLatitude = 85.05112878;

    // Quadratic mean radius.
    private const double EarthMetres = 6372797.560856;

    // About six nanometres on the ground.
    private const double NoDifference = 1e-15;

    /// <summary>Whether both coordinates are in range.</summary>
    public bool IsValid => Math.Abs(Longitude) <= MaxLongitude && Math.Abs(Latitude) <= MaxLatitude;

    /// <summary>Degrees of a meridian arc of this length.</summary>
    public static double DegreesOf(double metres) => ToDegrees(metres / EarthMetres);

    /// <summary>Degrees of longitude of an arc of this length along a parallel.</summary>
    public static double DegreesOf(double metres, double latitude) => ToDegrees(metres / EarthMetres / Math.Cos(ToRadians(latitude)));

    /// <summary>The midpoint of several positions, computed from their directions from the centre of the Earth.</summary>
    public static GeoPoint Centre(ReadOnlySpan<GeoPoint> points)
    {
        double x = 0,
            y = 0,
            z = 0;
        foreach (GeoPoint point in points)
        {
            double longitude = ToRadians(point.Longitude);
            double latitude = ToRadians(point.Latitude);
            x += Math.Cos(latitude) * Math.Cos(longitude);
            y += Math.Cos(latitude) * Math.Sin(longitude);
            z += Math.Sin(latitude);
        }

        return new GeoPoint(ToDegrees(Math.Atan2(y, x)), ToDegrees(Math.Atan2(z, Math.Sqrt((x * x) + (y * y)))));
    }

    /// <summary>Great-circle distance in metres (haversine formula).</summary>
    public double MetresTo(GeoPoint other)
    {
        double v = Math.Sin((ToRadians(other.Longitude) - ToRadians(Longitude)) / 2);
        if (Math.Abs(v) <= NoDifference)
            return MetresNorthTo(other);
        double from = ToRadians(Latitude);
        double to = ToRadians(other.Latitude);
        double u = Math.Sin((to - from) / 2);
        double a = (u * u) + (Math.Cos(from) * Math.Cos(to) * v * v);
        return 2.0 * EarthMetres * Math.Asin(Math.Sqrt(a));
    }

    /// <summary>Distance in metres between the parallels of two positions.</summary>
    public double MetresNorthTo(GeoPoint other) => EarthMetres * Math.Abs(ToRadians(other.Latitude) - ToRadians(Latitude));

    private static double ToRadians(double degrees) => degrees * (Math.PI / 180.0);

    private static double ToDegrees(double radians) => radians / (Math.PI / 180.0);
}
