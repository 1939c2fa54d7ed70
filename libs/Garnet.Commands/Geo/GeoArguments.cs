// Parses positions, members, units and shapes in the arguments of geospatial commands. Stateless.
using System.Globalization;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Protocol;
using Garnet.Store.Collections.SortedSets;

namespace Garnet.Commands.Geo;

/// <summary>Parses arguments; each method writes the error and returns false if they are invalid.</summary>
internal static class GeoArguments
{
    /// <summary>A longitude followed by a latitude.</summary>
    public static bool TryGetPosition(ref CommandContext context, int index, out GeoPoint position)
    {
        position = default;
        if (!DoubleText.TryParse(context[index], out double longitude) || !DoubleText.TryParse(context[index + 1], out double latitude))
        {
            context.Reply.WriteError(ErrorText.NotFloat);
            return false;
        }

        position = new GeoPoint(longitude, latitude);
        if (position.IsValid)
            return true;
        context.Reply.WriteError($"ERR invalid longitude,latitude pair {Text(longitude)},{Text(latitude)}");
        return false;
    }

    /// <summary>The position of a member of a sorted set.</summary>
    public static bool TryGetPosition(ref CommandContext context, in SortedSetValue members, int index, out GeoPoint position)
    {
        if (members.TryGetScore(context[index], out double score))
        {
            position = GeoCell.Decode(score);
            return true;
        }

        context.Reply.WriteError([.. "ERR member "u8, .. ArgumentText.UpToZero(context[index]), .. " does not exist"u8]);
        position = default;
        return false;
    }

    /// <summary>A unit of length.</summary>
    public static bool TryGetUnit(ref CommandContext context, int index, out double metres)
    {
        metres =
            context.Is(index, "M"u8) ? 1
            : context.Is(index, "KM"u8) ? 1000
            : context.Is(index, "FT"u8) ? 0.3048
            : context.Is(index, "MI"u8) ? 1609.34
            : 0;
        if (metres == 0)
            context.Reply.WriteError("ERR unsupported unit provided. please use M, KM, FT, MI"u8);
        return metres != 0;
    }

    /// <summary>Makes the shape a circle: a radius followed by its unit.</summary>
    public static bool TryGetCircle(ref CommandContext context, int index, ref GeoShape shape)
    {
        if (!DoubleText.TryParse(context[index], out double radius))
        {
            context.Reply.WriteError("ERR need numeric radius"u8);
            return false;
        }

        if (radius < 0)
        {
            context.Reply.WriteError("ERR radius cannot be negative"u8);
            return false;
        }

        if (!TryGetUnit(ref context, index + 1, out double metres))
            return false;
        (shape.Kind, shape.Radius, shape.UnitMetres) = (GeoShapeKind.Circle, radius, metres);
        return true;
    }

    /// <summary>Makes the shape a box: width, height and their unit.</summary>
    public static bool TryGetBox(ref CommandContext context, int index, ref GeoShape shape)
    {
        if (!DoubleText.TryParse(context[index], out double width))
        {
            context.Reply.WriteError("ERR need numeric width"u8);
            return false;
        }

        if (!DoubleText.TryParse(context[index + 1], out double height))
        {
            context.Reply.WriteError("ERR need numeric height"u8);
            return false;
        }

        if (height < 0 || width < 0)
        {
            context.Reply.WriteError("ERR height or width cannot be negative"u8);
            return false;
        }

        if (!TryGetUnit(ref context, index + 2, out double metres))
            return false;
        (shape.Kind, shape.Width, shape.Height, shape.UnitMetres) = (GeoShapeKind.Box, width, height, metres);
        return true;
    }

    /// <summary>Makes the shape a polygon: the number of vertices followed by their coordinates.</summary>
    public static bool TryGetPolygon(ref CommandContext context, int index, ref GeoShape shape)
    {
        const int leastVertices = 3;
        if (!IntegerText.TryParse(context[index], out long count) || count is < int.MinValue or > int.MaxValue)
        {
            context.Reply.WriteError("ERR invalid number of vertices"u8);
            return false;
        }

        if (count < leastVertices || (context.Count - index - 1) / 2 < count)
        {
            context.Reply.WriteError("ERR GEOSEARCH BYPOLYGON must have at least 3 vertices"u8);
            return false;
        }

        (shape.Kind, shape.UnitMetres, shape.Vertices) = (GeoShapeKind.Polygon, 1, new GeoPoint[count]);
        for (int i = 0; i < count; i++)
        {
            if (!TryGetPosition(ref context, index + 1 + (2 * i), out shape.Vertices[i]))
                return false;
        }

        return true;
    }

    private static string Text(double value) =>
        double.IsInfinity(value)
            ? value > 0
                ? "inf"
                : "-inf"
            : value.ToString("F6", CultureInfo.InvariantCulture);
}
