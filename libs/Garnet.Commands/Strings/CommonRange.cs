// A matching range of two strings. Immutable.
namespace Garnet.Commands.Strings;

/// <summary>The start of a matching range in each string, and its length.</summary>
internal readonly record struct CommonRange(int First, int Second, int Length);
