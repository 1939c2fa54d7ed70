// The kinds of areas to search.
namespace Garnet.Commands.Geo;

/// <summary>The shape of a search.</summary>
internal enum GeoShapeKind
{
    /// <summary>Not specified yet.</summary>
    None,

    /// <summary>BYRADIUS.</summary>
    Circle,

    /// <summary>BYBOX.</summary>
    Box,

    /// <summary>BYPOLYGON.</summary>
    Polygon,
}
