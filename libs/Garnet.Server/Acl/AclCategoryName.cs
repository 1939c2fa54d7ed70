// Names of ACL categories. Stateless.
using Garnet.Engine.Requests;

namespace Garnet.Server.Acl;

/// <summary>A category's name is that of its flag, ignoring case.</summary>
internal static class AclCategoryName
{
    /// <summary>Finds the category with this name; numbers, which the runtime's parser would accept, are rejected.</summary>
    public static bool TryParse(string name, out AclCategories category) =>
        Enum.TryParse(name, ignoreCase: true, out category)
        && category != 0
        && Enum.IsDefined(category)
        && char.IsAsciiLetter(name[0])
        && !name.Contains(',');
}
