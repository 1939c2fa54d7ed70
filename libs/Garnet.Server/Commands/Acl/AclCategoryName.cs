// Names of ACL categories. Stateless.
using Garnet.Server.CommandModel;

namespace Garnet.Server.Commands.Acl;

/// <summary>A category's name is that of its flag, in any case.</summary>
internal static class AclCategoryName
{
    /// <summary>The category of a name; numbers, which the runtime's parser would take, are no names.</summary>
    public static bool TryParse(string name, out AclCategories category) =>
        Enum.TryParse(name, ignoreCase: true, out category)
        && category != 0
        && Enum.IsDefined(category)
        && char.IsAsciiLetter(name[0])
        && !name.Contains(',');
}
