// A consumer of a group. Immutable.
namespace Garnet.Commands.Streams;

/// <summary>The numbers of a group and of one of its consumers.</summary>
internal readonly record struct GroupMember(long Group, long Consumer);
