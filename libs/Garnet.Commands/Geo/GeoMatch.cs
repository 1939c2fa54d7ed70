// One result of a search. Immutable.
using Garnet.Engine.Requests;

namespace Garnet.Commands.Geo;

/// <summary>A member within the area of a search.</summary>
/// <param name="Member">Its name.</param>
/// <param name="Score">Its score, which is its encoded position.</param>
/// <param name="Position">Its position.</param>
/// <param name="Metres">Its distance from the centre.</param>
internal readonly record struct GeoMatch(TextSlice Member, double Score, GeoPoint Position, double Metres);
