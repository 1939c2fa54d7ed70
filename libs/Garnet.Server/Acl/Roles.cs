// The roles of a server. Read by any thread; changed by one at a time, which holds the lock of the users.
using System.Collections.Concurrent;

namespace Garnet.Server.Acl;

/// <summary>
/// Sets of rules by name that users have on top of their own. As in Valkey 9.2, a call is allowed if one selector of the user or of one of
/// its roles allows it. Names are printable ASCII.
/// </summary>
internal sealed class Roles
{
    private volatile ConcurrentDictionary<string, UserRules> _roles = new(StringComparer.Ordinal);

    /// <summary>All roles in the order of their names' bytes.</summary>
    public KeyValuePair<string, UserRules>[] All => [.. _roles.OrderBy(static role => role.Key, StringComparer.Ordinal)];

    /// <summary>The role's rules, or null.</summary>
    public UserRules? Find(string name) => _roles.GetValueOrDefault(name);

    /// <summary>Whether there is such a role.</summary>
    public bool Contains(string name) => _roles.ContainsKey(name);

    /// <summary>What is wrong with a name, or null.</summary>
    public static string? ProblemOf(string name) =>
        name.Length == 0 ? "Role names can't be empty"
        : name.AsSpan().ContainsAnyExceptInRange('!', '~') ? "Role names can only contain printable ASCII characters except spaces"
        : name.Contains(',', StringComparison.Ordinal) ? "Role names can't contain commas"
        : name.AsSpan().ContainsAny('"', '\'', '\\') ? "Role names can't contain quotes or backslashes"
        : null;

    /// <summary>The selectors that a user has by its roles.</summary>
    public IEnumerable<Selector> SelectorsOf(UserRules user) =>
        user.Roles.SelectMany(name => Find(name)?.Selectors ?? Enumerable.Empty<Selector>());

    internal void Set(string name, UserRules rules) => _roles[name] = rules.Freeze();

    internal bool Remove(string name) => _roles.TryRemove(name, out _);

    internal void Replace(IReadOnlyDictionary<string, UserRules> roles) =>
        _roles = new ConcurrentDictionary<string, UserRules>(
            roles.Select(static role => KeyValuePair.Create(role.Key, role.Value.Freeze())),
            StringComparer.Ordinal
        );
}
