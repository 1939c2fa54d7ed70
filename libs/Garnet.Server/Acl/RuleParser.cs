// Applies the rules of ACL SETUSER, of a configuration file and of an ACL file to a user. Stateless.
using System.Globalization;
using System.Text;
using Garnet.Engine.Execution;
using Garnet.Server.Configuration;

namespace Garnet.Server.Acl;

/// <summary>Reads single rules such as <c>+get</c>, <c>~app:*</c> or <c>&gt;password</c>; text has one character per byte.</summary>
/// <param name="commands">The commands that rules may name.</param>
/// <param name="allChannels">Whether new selectors allow all channels (acl-pubsub-default).</param>
/// <param name="isRole">Whether there is a role with a name.</param>
internal sealed class RuleParser(CommandTable commands, bool allChannels, Func<string, bool> isRole)
{
    private const string RolesRule = "role=";

    /// <summary>Applies one rule to a role, which has no state, no passwords and no roles of its own.</summary>
    public RuleError ApplyToRole(UserRules role, string rule)
    {
        if (rule.Length == 0)
            return RuleError.None;
        if (Keyword(rule) == "clearselectors" || rule[0] == '(')
            return Apply(role, rule);
        return rule[0] is '>' or '#' or '<' or '!' ? RuleError.Syntax : Apply(role.Root, rule);
    }

    /// <summary>Applies one rule to a user.</summary>
    public RuleError Apply(UserRules user, string rule)
    {
        switch (Keyword(rule))
        {
            case "" when rule.Length == 0:
            case "skip-sanitize-payload" or "sanitize-payload":
                return RuleError.None;
            case "on" or "off":
                user.IsOn = Keyword(rule) == "on";
                return RuleError.None;
            case "nopass" or "resetpass":
                user.AcceptsAnyPassword = Keyword(rule) == "nopass";
                user.Passwords.Clear();
                return RuleError.None;
            case "clearselectors":
                user.Selectors.RemoveRange(1, user.Selectors.Count - 1);
                return RuleError.None;
            case "resetroles":
                user.Roles.Clear();
                return RuleError.None;
            case "reset":
                Reset(user);
                return RuleError.None;
        }

        if (Keyword(rule).StartsWith(RolesRule, StringComparison.Ordinal))
            return SetRoles(user, rule[RolesRule.Length..].Split(','));

        return rule[0] switch
        {
            '>' or '#' => AddPassword(user, rule),
            '<' or '!' => RemovePassword(user, rule),
            '(' when rule[^1] == ')' => AddSelector(user, rule),
            _ => Apply(user.Root, rule),
        };
    }

    private static void Reset(UserRules user, Selector root)
    {
        user.IsOn = user.AcceptsAnyPassword = false;
        user.Passwords.Clear();
        user.Roles.Clear();
        user.Selectors.Clear();
        user.Selectors.Add(root);
    }

    private void Reset(UserRules user) => Reset(user, new Selector(commands, allChannels));

    // Replaces the user's roles; on an error they stay.
    private RuleError SetRoles(UserRules user, string[] names)
    {
        if (names.Contains(""))
            return RuleError.Syntax;
        if (!names.All(isRole))
            return RuleError.UnknownRole;
        user.Roles.Clear();
        user.Roles.AddRange(names.Distinct(StringComparer.Ordinal));
        return RuleError.None;
    }

    private static RuleError AddPassword(UserRules user, string rule)
    {
        if (ReadPassword(rule, rule[0] == '>') is not { } password)
            return RuleError.BadPasswordHash;
        if (!user.Passwords.Exists(password.Matches))
            user.Passwords.Add(password);
        user.AcceptsAnyPassword = false;
        return RuleError.None;
    }

    private static RuleError RemovePassword(UserRules user, string rule)
    {
        if (ReadPassword(rule, rule[0] == '<') is not { } password)
            return RuleError.BadPasswordHash;
        return user.Passwords.RemoveAll(password.Matches) > 0 ? RuleError.None : RuleError.UnknownPassword;
    }

    private static PasswordDigest? ReadPassword(string rule, bool isPlain) =>
        isPlain ? PasswordDigest.Of(Encoding.Latin1.GetBytes(rule[1..])) : PasswordDigest.Parse(rule[1..]);

    private RuleError AddSelector(UserRules user, string rule)
    {
        Selector selector = new(commands, allChannels);
        foreach (string inner in ConfigurationLine.Split(rule[1..^1], Encoding.Latin1) ?? [])
        {
            if (inner.Length > 0 && Apply(selector, inner) is var error and not RuleError.None)
                return error;
        }

        user.Selectors.Add(selector);
        return RuleError.None;
    }

    private RuleError Apply(Selector selector, string rule)
    {
        switch (Keyword(rule))
        {
            case "allkeys" or "~*":
            case "resetkeys":
                selector.AllKeys = Keyword(rule) != "resetkeys";
                selector.Keys.Clear();
                return RuleError.None;
            case "allchannels" or "&*":
            case "resetchannels":
                selector.AllChannels = Keyword(rule) != "resetchannels";
                selector.Channels.Clear();
                return RuleError.None;
            case "alldbs" or "resetdbs":
                selector.AllDatabases = Keyword(rule) == "alldbs";
                selector.Databases.Clear();
                return RuleError.None;
            case "allcommands" or "+@all":
            case "nocommands" or "-@all":
                selector.Commands.SetAll(Keyword(rule) is "allcommands" or "+@all");
                return RuleError.None;
        }

        return rule[0] switch
        {
            '~' or '%' => AddKeys(selector, rule),
            '&' => AddChannels(selector, rule),
            '+' or '-' => ChangeCommands(selector, UpToZero(rule)),
            _ when Keyword(rule).StartsWith("db=", StringComparison.Ordinal) => SetDatabases(selector, UpToZero(rule)[3..]),
            _ => RuleError.Syntax,
        };
    }

    private static RuleError AddKeys(Selector selector, string rule)
    {
        if (selector.AllKeys)
            return RuleError.AllKeysAllowed;
        int start = 1;
        KeyAccess access = KeyAccess.All;
        if ((rule[0] == '%' && !TryReadAccess(rule, out access, out start)) || HasSpace(rule.AsSpan(start)))
            return RuleError.Syntax;
        string pattern = rule[start..];
        int known = selector.Keys.FindIndex(each => each.Text == pattern);
        if (known < 0)
            selector.Keys.Add(new KeyPattern(pattern, access));
        else
            selector.Keys[known] = new KeyPattern(pattern, access | selector.Keys[known].Access);
        return RuleError.None;
    }

    // %R~, %W~, %RW~ and %WR~, in any case.
    private static bool TryReadAccess(string rule, out KeyAccess access, out int start)
    {
        access = KeyAccess.None;
        for (start = 1; start < rule.Length; start++)
        {
            KeyAccess letter = char.ToUpperInvariant(rule[start]) switch
            {
                'R' => KeyAccess.Read,
                'W' => KeyAccess.Write,
                _ => KeyAccess.None,
            };
            if (rule[start] == '~')
            {
                start++;
                break;
            }

            if (letter == KeyAccess.None || (access & letter) != 0)
                return false;
            access |= letter;
        }

        return access != KeyAccess.None;
    }

    private static RuleError AddChannels(Selector selector, string rule)
    {
        if (selector.AllChannels)
            return RuleError.AllChannelsAllowed;
        if (HasSpace(rule.AsSpan(1)))
            return RuleError.Syntax;
        if (!selector.Channels.Exists(each => each.Text == rule[1..]))
            selector.Channels.Add(new KeyPattern(rule[1..]));
        return RuleError.None;
    }

    private RuleError ChangeCommands(Selector selector, string rule)
    {
        bool allow = rule[0] == '+';
        string name = rule[1..];
        if (name.StartsWith('@'))
            return selector.Commands.TrySetCategory(name, allow) ? RuleError.None : RuleError.UnknownCommand;
        if (allow && name.LastIndexOf('|') is var bar and >= 0)
            return AllowPart(selector, name, bar);
        if (Find(name) is not { } command)
            return RuleError.UnknownCommand;
        selector.Commands.Set(command, allow);
        return RuleError.None;
    }

    // A subcommand, or a first argument of a command without subcommands.
    private RuleError AllowPart(Selector selector, string name, int bar)
    {
        if (Find(name[..bar]) is not { } command)
            return RuleError.UnknownCommand;
        if (command.Parent is not null)
            return RuleError.FirstArgumentOfSubcommand;
        if (bar == name.Length - 1)
            return RuleError.Syntax;
        if (!command.IsContainer)
        {
            selector.Commands.AllowFirstArgument(command, name[(bar + 1)..]);
            return RuleError.None;
        }

        if (Find(name) is not { } sub)
            return RuleError.UnknownCommand;
        selector.Commands.Set(sub, allow: true);
        return RuleError.None;
    }

    // A command, or "command|subcommand".
    private Command? Find(string name)
    {
        string[] parts = name.Split('|');
        Command? command = commands.FindOriginal(Encoding.Latin1.GetBytes(parts[0]));
        return parts.Length switch
        {
            1 => command,
            2 => command?.FindSubcommand(Encoding.Latin1.GetBytes(parts[1])),
            _ => null,
        };
    }

    private static RuleError SetDatabases(Selector selector, string list)
    {
        SortedSet<int> databases = [];
        foreach (string word in list.Split(','))
        {
            string number = word.TrimStart(' ', '\t', '\n', '\v', '\f', '\r');
            if (number.AsSpan().TrimStart("+-") is var digits && (digits.IsEmpty || digits.ContainsAnyExceptInRange('0', '9')))
                return RuleError.Syntax;
            if (number.Length - digits.Length > 1)
                return RuleError.Syntax;
            if (!int.TryParse(number, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out int database) || database < 0)
                return RuleError.DatabaseOutOfRange;
            databases.Add(database);
        }

        selector.AllDatabases = false;
        selector.Databases = databases;
        return RuleError.None;
    }

    /// <summary>Whether a text has white space or a zero byte, which neither names nor patterns may.</summary>
    public static bool HasSpace(ReadOnlySpan<char> text) => text.IndexOfAny(" \t\n\v\f\r\0") >= 0;

    // As Valkey reads keywords.
    private static string UpToZero(string rule) => rule.IndexOf('\0') is var end and >= 0 ? rule[..end] : rule;

    private static string Keyword(string rule) => UpToZero(rule).ToLowerInvariant();
}
