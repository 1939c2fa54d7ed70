// One element to sort. Immutable.
using Garnet.Engine.Requests;

namespace Garnet.Commands.Keys;

/// <summary>An element and its sort key.</summary>
/// <param name="Element">The element.</param>
/// <param name="Score">Its numeric sort key; 0 if it has none.</param>
/// <param name="Text">Its text sort key; elements without one sort first.</param>
internal readonly record struct SortElement(TextSlice Element, double Score, TextSlice Text);
