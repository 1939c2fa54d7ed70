// Which commands belong to an ACL category. Stateless.
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Server.Acl;

/// <summary>A category is a built-in one or, with the name of a module, all commands of this module.</summary>
internal static class CategoryMembers
{
    /// <summary>Finds a category by its name in any letter case; false when there is none.</summary>
    public static bool TryFind(string name, CommandTable table, out Func<Command, bool> isMember)
    {
        if (AclCategoryName.TryParse(name, out AclCategories category))
        {
            isMember = command => (command.Categories & category) != 0;
            return true;
        }

        isMember = command => IsOfModule(command, name);
        return table.Commands.Any(isMember);
    }

    /// <summary>Whether a command belongs to the module of a name in any letter case.</summary>
    public static bool IsOfModule(Command command, ReadOnlySpan<char> name) =>
        command.Descriptor.Module is { } module && name.Equals(module, StringComparison.OrdinalIgnoreCase);
}
