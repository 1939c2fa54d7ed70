// The users of a server. Read by any thread; changed by one at a time.
using System.Collections.Concurrent;
using System.Text;
using Garnet.Engine.Execution;
using Garnet.Server.Configuration;

namespace Garnet.Server.Acl;

/// <summary>
/// All users by name. Names and rules have one character per byte. A change checks all rules on a copy, and then replaces the user's rules
/// at once.
/// </summary>
internal sealed class Users : LoginRules
{
    /// <summary>The user of connections that have not logged in; it cannot be deleted.</summary>
    public const string DefaultName = "default";

    private readonly Lock _changing = new();
    private readonly CommandTable _commands;
    private readonly ServerConfiguration _configuration;
    private volatile ConcurrentDictionary<string, User> _users = new(StringComparer.Ordinal);

    /// <summary>Creates the default user, with the password of the options.</summary>
    public Users(CommandTable commands, ServerConfiguration configuration, DenialLog denials)
    {
        _commands = commands;
        _configuration = configuration;
        Denials = denials;
        Default = new User(DefaultName, NewDefaultRules());
        _users[DefaultName] = Default;
        SetDefaultPassword(configuration.Current.Password);
        configuration.OnChange("requirepass", OnPassword);
    }

    /// <summary>The default user.</summary>
    public User Default { get; }

    /// <inheritdoc/>
    public override ClientUser DefaultUser => Default;

    /// <summary>The roles that users may have.</summary>
    public Roles Roles { get; } = new();

    /// <summary>Calls and logins that users were denied.</summary>
    public DenialLog Denials { get; }

    /// <summary>Whether connections begin without being logged in, as the default user has a password or is off.</summary>
    public override bool RequireLogin => Default.Rules is { AcceptsAnyPassword: false } or { IsOn: false };

    /// <summary>True when there is only the default user, with no other rules than requirepass gives it.</summary>
    public bool AreOnlyOptions
    {
        get
        {
            UserRules rules = NewDefaultRules();
            SetPassword(rules, _configuration.Current.Password);
            return _users.Count == 1 && Roles.All.Length == 0 && Default.Rules.ToString() == rules.ToString();
        }
    }

    /// <summary>All users in the order of their names' bytes.</summary>
    public User[] All => [.. _users.Values.OrderBy(static user => user.Name, StringComparer.Ordinal)];

    private RuleParser Parser => ParserFor(Roles.Contains);

    /// <summary>Finds a user; null when there is none.</summary>
    public User? Find(ReadOnlySpan<byte> name) => Find(Encoding.Latin1.GetString(name));

    /// <summary>Finds a user; null when there is none.</summary>
    public User? Find(string name) => _users.GetValueOrDefault(name);

    /// <summary>Finds a user by a .NET string, as in options and certificates; null when there is none.</summary>
    public User? FindText(string name) => Find(Encoding.UTF8.GetBytes(name));

    /// <summary>The user with this name and password, if it may log in; else null.</summary>
    public User? Authenticate(ReadOnlySpan<byte> name, ReadOnlySpan<byte> password)
    {
        User? user = Find(name);
        return user is { Rules: { IsOn: true } rules } && rules.Accept(password) ? user : null;
    }

    /// <summary>Creates or changes a user. Returns what is wrong with the rules, or null; on an error nothing has changed.</summary>
    /// <param name="name">The user's name.</param>
    /// <param name="words">The rules.</param>
    /// <param name="narrowed">Receives the user if it may have lost channels.</param>
    public string? Set(string name, IReadOnlyList<string> words, ICollection<User>? narrowed = null)
    {
        if (RuleArguments.Join(words, out string unclosed) is not { } rules)
            return $"Unmatched parenthesis in acl selector starting at '{unclosed}'.";
        lock (_changing)
        {
            User? user = Find(name);
            UserRules changed = user?.Rules.Clone() ?? NewRules();
            foreach (string rule in rules)
            {
                if (Parser.Apply(changed, rule) is var error and not RuleError.None)
                    return $"Error in ACL SETUSER modifier '{rule}': {RuleErrorText.Of(error)}";
            }

            Publish(name, user, changed, narrowed);
            return null;
        }
    }

    /// <summary>
    /// Creates or changes a role, for all users that have it at once. Returns what is wrong with the rules, or null; on an error nothing
    /// has changed.
    /// </summary>
    /// <param name="name">The role's name.</param>
    /// <param name="words">The rules.</param>
    /// <param name="narrowed">Receives the users that may have lost channels.</param>
    public string? SetRole(string name, IReadOnlyList<string> words, ICollection<User>? narrowed = null)
    {
        if (Roles.ProblemOf(name) is { } wrong)
            return wrong;
        if (RuleArguments.Join(words, out string unclosed) is not { } rules)
            return $"Unmatched parenthesis in acl selector starting at '{unclosed}'.";
        lock (_changing)
        {
            UserRules changed = Roles.Find(name)?.Clone() ?? NewRules();
            foreach (string rule in rules)
            {
                if (Parser.ApplyToRole(changed, rule) is var error and not RuleError.None)
                    return $"Error in ACL SETROLE modifier '{rule}': {RuleErrorText.Of(error)}";
            }

            Roles.Set(name, changed);
            foreach (User user in HoldersOf(name))
                Publish(user.Name, user, user.Rules.Clone(), narrowed);
            return null;
        }
    }

    /// <summary>Deletes roles that no user has. Returns the name of one that a user has, and then deletes none; else null.</summary>
    public string? DeleteRoles(IReadOnlyList<string> names, out int deleted)
    {
        deleted = 0;
        lock (_changing)
        {
            if (names.FirstOrDefault(name => HoldersOf(name).Length > 0) is { } held)
                return held;
            deleted = names.Count(Roles.Remove);
            return null;
        }
    }

    /// <summary>The users that have a role.</summary>
    public User[] HoldersOf(string role) => [.. All.Where(user => user.Rules.Roles.Contains(role))];

    /// <summary>Applies the rules of all users and roles again, after commands were added or removed.</summary>
    public void RecomputeCommands()
    {
        lock (_changing)
        {
            foreach ((string name, UserRules rules) in Roles.All)
                Roles.Set(name, Recomputed(rules));
            foreach (User user in All)
                Publish(user.Name, user, Recomputed(user.Rules), narrowed: null);
        }
    }

    /// <summary>A rule of a user or role that names one of these commands; null when none does.</summary>
    public string? RuleNaming(IReadOnlyList<Command> commands) =>
        All.Select(static user => user.Rules)
            .Concat(Roles.All.Select(static role => role.Value))
            .SelectMany(static rules => rules.Selectors)
            .Select(selector => selector.Commands.RuleNaming(commands))
            .FirstOrDefault(static rule => rule is not null);

    private static UserRules Recomputed(UserRules rules)
    {
        UserRules changed = rules.Clone();
        foreach (Selector selector in changed.Selectors)
            selector.Commands.Recompute();
        return changed;
    }

    /// <summary>Deletes a user, but not the default user, and returns it; null when there is none.</summary>
    public User? Delete(string name)
    {
        lock (_changing)
            return name != DefaultName && _users.TryRemove(name, out User? user) ? user : null;
    }

    /// <summary>
    /// Replaces all users: those not mentioned are deleted and returned, and the default user, if not mentioned, becomes what it was at
    /// first. All roles are replaced as well.
    /// </summary>
    /// <param name="rules">The users' rules by their names.</param>
    /// <param name="roles">The roles by their names.</param>
    /// <param name="narrowed">Receives the users that may have lost channels.</param>
    public IReadOnlyList<User> Replace(
        IReadOnlyDictionary<string, UserRules> rules,
        IReadOnlyDictionary<string, UserRules> roles,
        ICollection<User>? narrowed = null
    )
    {
        lock (_changing)
        {
            Roles.Replace(roles);
            ConcurrentDictionary<string, User> previous = _users;
            ConcurrentDictionary<string, User> next = new(StringComparer.Ordinal) { [DefaultName] = Default };
            foreach ((string name, UserRules _) in rules)
                next[name] = previous.GetValueOrDefault(name) ?? new User(name, NewRules());
            _users = next;
            foreach ((string name, User user) in next)
                Publish(name, user, rules.GetValueOrDefault(name) ?? NewDefaultRules(), narrowed);
            return [.. previous.Values.Where(user => !next.ContainsKey(user.Name))];
        }
    }

    /// <summary>The rules of a new user: off, nothing allowed.</summary>
    public UserRules NewRules() => new(_commands, _configuration.Current.AclPubSubDefault == AclPubSubDefault.AllChannels);

    /// <summary>Applies rules of a file, whose roles are not published yet.</summary>
    public RuleParser ParserFor(Func<string, bool> isRole) =>
        new(_commands, _configuration.Current.AclPubSubDefault == AclPubSubDefault.AllChannels, isRole);

    private UserRules NewDefaultRules()
    {
        UserRules rules = NewRules();
        rules.IsOn = rules.AcceptsAnyPassword = true;
        rules.Root.Commands.SetAll(allow: true);
        rules.Root.AllKeys = rules.Root.AllChannels = true;
        return rules.Freeze();
    }

    private void OnPassword(GarnetOptions options) => SetDefaultPassword(options.Password);

    private void SetDefaultPassword(string password)
    {
        lock (_changing)
        {
            UserRules rules = Default.Rules.Clone();
            SetPassword(rules, password);
            Default.Rules = rules.Freeze(Roles.SelectorsOf(rules));
        }
    }

    private static void SetPassword(UserRules rules, string password)
    {
        rules.Passwords.Clear();
        rules.AcceptsAnyPassword = password.Length == 0;
        if (password.Length > 0)
            rules.Passwords.Add(new PasswordDigest(password));
    }

    private void Publish(string name, User? user, UserRules rules, ICollection<User>? narrowed)
    {
        rules.Freeze(Roles.SelectorsOf(rules));
        if (user is null)
        {
            _users[name] = new User(name, rules);
            return;
        }

        if (!rules.KeepsSubscriptionsOf(user.Rules))
            narrowed?.Add(user);
        user.Rules = rules;
    }
}
