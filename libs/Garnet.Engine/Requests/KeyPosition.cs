// A key found among a command's arguments. Immutable.
namespace Garnet.Engine.Requests;

/// <summary>Argument index of a key and what the command does with it.</summary>
internal readonly record struct KeyPosition(int Index, KeySpecFlags Flags);
