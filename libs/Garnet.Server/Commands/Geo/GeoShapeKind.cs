// What a search looks within.
namespace Garnet.Server.Commands.Geo;

/// <summary>The shape of a search.</summary>
internal enum GeoShapeKind
{
    /// <summary>Not given yet.</summary>
    None,

    /// <summary>BYRADIUS.</summary>
    Circle,

    /// <summary>BYBOX.</summary>
    Box,

    /// <summary>BYPOLYGON.</summary>
    Polygon,
}
