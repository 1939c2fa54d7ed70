// What the console has to know of a command. Immutable.
namespace Garnet.Dashboard.Console;

/// <summary>Flags and ACL categories of a command, or of a subcommand.</summary>
internal readonly record struct CommandTraits(bool IsReadOnly, bool IsOfScripts, bool IsDangerous);
