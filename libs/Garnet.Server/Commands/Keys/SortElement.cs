// One element to be sorted. Immutable.
using Garnet.Server.CommandModel;

namespace Garnet.Server.Commands.Keys;

/// <summary>An element and what it is sorted by.</summary>
/// <param name="Element">The element.</param>
/// <param name="Score">Its number; 0 when it has none.</param>
/// <param name="Text">Its text; none comes first.</param>
internal readonly record struct SortElement(TextSlice Element, double Score, TextSlice Text);
