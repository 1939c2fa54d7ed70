// The help of a container command. Immutable.
namespace Garnet.Engine.Requests;

/// <summary>The text of a container's HELP subcommand, and the parts of its descriptor that do not follow from the container's.</summary>
/// <param name="Since">The version of Valkey or Redis that introduced the HELP subcommand.</param>
/// <param name="Lines">
/// The lines about the other subcommands, as simple strings; the heading and the lines about HELP are the same everywhere. Most of them
/// are Valkey's (BSD-3-Clause, see THIRD-PARTY-NOTICES.md).
/// </param>
/// <param name="Categories">ACL categories besides those that the flags and the group imply.</param>
internal sealed record CommandHelp(string Since, string[] Lines, AclCategories Categories = AclCategories.None);
