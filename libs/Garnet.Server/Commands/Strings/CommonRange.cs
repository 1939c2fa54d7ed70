// A run of bytes that two strings share. Immutable.
namespace Garnet.Server.Commands.Strings;

/// <summary>Where a run of common bytes begins in each string, and how long it is.</summary>
internal readonly record struct CommonRange(int First, int Second, int Length);
