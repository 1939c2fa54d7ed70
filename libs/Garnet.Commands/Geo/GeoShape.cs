// The area of a search, built while the arguments are parsed, then only read. Used by the command's thread.
namespace Garnet.Commands.Geo;

/// <summary>A circle, a box aligned with the meridians, or a polygon. Lengths are in units of <see cref="UnitMetres"/>.</summary>
internal struct GeoShape
{
    // Half of the projection's width, in metres.
    private const double MercatorMost = 20037726.37;

    /// <summary>Which shape it is.</summary>
    public GeoShapeKind Kind { get; set; }

    /// <summary>The centre; for a polygon, valid only after <see cref="CentrePolygon"/>.</summary>
    public GeoPoint Centre { get; set; }

    /// <summary>Meters per unit of the lengths, and of the distances in the reply.</summary>
    public double UnitMetres { get; set; }

    /// <summary>Radius of a circle.</summary>
    public double Radius { get; set; }

    /// <summary>Width of a box.</summary>
    public double Width { get; set; }

    /// <summary>Height of a box.</summary>
    public double Height { get; set; }

    /// <summary>Vertices of a polygon.</summary>
    public GeoPoint[] Vertices { get; set; }

    /// <summary>Sets the centre of a polygon to the midpoint of its vertices.</summary>
    public void CentrePolygon()
    {
        if (Kind == GeoShapeKind.Polygon)
            Centre = GeoPoint.Centre(Vertices);
    }

    /// <summary>Whether a position lies inside, and if so its distance from the centre in metres.</summary>
    public readonly bool Contains(GeoPoint position, out double metres)
    {
        metres = 0;
        switch (Kind)
        {
            case GeoShapeKind.Circle:
                metres = Centre.MetresTo(position);
                return metres <= Radius * UnitMetres;
            case GeoShapeKind.Box:
                if (
                    position.MetresNorthTo(Centre) > Height * UnitMetres / 2
                    || position.MetresTo(Centre with { Latitude = position.Latitude }) > Width * UnitMetres / 2
                )
                {
                    return false;
                }

                break;
            default:
                if (!IsInsidePolygon(position))
                    return false;
                break;
        }

        metres = Centre.MetresTo(position);
        return true;
    }

    /// <summary>The cells that cover the area, in the order in which they are searched; default where there is nothing to search.</summary>
    public readonly void Cover(Span<GeoCell> cells)
    {
        GeoBounds bounds = Bounds();
        int step = StepsFor(FarthestMetres(bounds), Centre.Latitude);
        var cell = GeoCell.Of(Centre, step, GeoBounds.Coded);
        if (step > 1 && !IsCovered(cell, bounds))
            cell = GeoCell.Of(Centre, --step, GeoBounds.Coded);
        GeoBounds area = cell.Area;

        // With one cell per hemisphere, the neighbours on both sides are the same.
        bool excludes = step >= 2;
        bool noSouth = excludes && area.South < bounds.South,
            noNorth = excludes && area.North > bounds.North;
        bool noWest = excludes && area.West < bounds.West,
            noEast = excludes && area.East > bounds.East;
        cells[0] = cell;
        cells[1] = noNorth ? default : cell.Neighbour(0, 1);
        cells[2] = noSouth ? default : cell.Neighbour(0, -1);
        cells[3] = noEast ? default : cell.Neighbour(1, 0);
        cells[4] = noWest ? default : cell.Neighbour(-1, 0);
        cells[5] = noNorth || noEast ? default : cell.Neighbour(1, 1);
        cells[6] = noNorth || noWest ? default : cell.Neighbour(-1, 1);
        cells[7] = noSouth || noEast ? default : cell.Neighbour(1, -1);
        cells[8] = noSouth || noWest ? default : cell.Neighbour(-1, -1);
    }

    private static bool IsCovered(GeoCell cell, GeoBounds bounds) =>
        cell.Neighbour(0, 1).Area.North >= bounds.North
        && cell.Neighbour(0, -1).Area.South <= bounds.South
        && cell.Neighbour(1, 0).Area.East >= bounds.East
        && cell.Neighbour(-1, 0).Area.West <= bounds.West;

    // The finest grid on which nine cells cover the area.
    private static int StepsFor(double metres, double latitude)
    {
        if (metres == 0)
            return GeoCell.MaxSteps;
        int step = 1;
        for (; metres < MercatorMost; metres *= 2)
            step++;
        step -= 2;

        // Cells get narrower towards the poles.
        if (Math.Abs(latitude) > 66)
            step--;
        if (Math.Abs(latitude) > 80)
            step--;
        return Math.Clamp(step, 1, GeoCell.MaxSteps);
    }

    private readonly double FarthestMetres(GeoBounds bounds) =>
        UnitMetres
        * Kind switch
        {
            GeoShapeKind.Circle => Radius,
            GeoShapeKind.Box => Math.Sqrt((Width / 2 * (Width / 2)) + (Height / 2 * (Height / 2))),
            _ => Math.Max(
                Math.Max(
                    Centre.MetresTo(new GeoPoint(bounds.West, bounds.North)),
                    Centre.MetresTo(new GeoPoint(bounds.East, bounds.North))
                ),
                Math.Max(Centre.MetresTo(new GeoPoint(bounds.West, bounds.South)), Centre.MetresTo(new GeoPoint(bounds.East, bounds.South)))
            ),
        };

    private readonly GeoBounds Bounds()
    {
        if (Kind == GeoShapeKind.Polygon)
        {
            return new GeoBounds(
                Vertices.Min(static v => v.Longitude),
                Vertices.Min(static v => v.Latitude),
                Vertices.Max(static v => v.Longitude),
                Vertices.Max(static v => v.Latitude)
            );
        }

        double height = Kind == GeoShapeKind.Circle ? UnitMetres * Radius : UnitMetres * Height / 2;
        double width = Kind == GeoShapeKind.Circle ? UnitMetres * Radius : UnitMetres * Width / 2;
        double north = GeoPoint.DegreesOf(height);

        // The edge away from the equator spans more degrees.
        double east = GeoPoint.DegreesOf(width, Centre.Latitude < 0 ? Centre.Latitude - north : Centre.Latitude + north);
        return new GeoBounds(Centre.Longitude - east, Centre.Latitude - north, Centre.Longitude + east, Centre.Latitude + north);
    }

    // Ray casting: a ray to the east crosses an odd number of edges if the position is inside.
    private readonly bool IsInsidePolygon(GeoPoint position)
    {
        bool isInside = false;
        GeoPoint b = Vertices[^1];
        foreach (GeoPoint a in Vertices)
        {
            if (
                (a.Latitude > position.Latitude) != (b.Latitude > position.Latitude)
                && position.Longitude
                    < ((b.Longitude - a.Longitude) * (position.Latitude - a.Latitude) / (b.Latitude - a.Latitude)) + a.Longitude
            )
            {
                isInside = !isInside;
            }

            b = a;
        }

        return isInside;
    }
}
