// A user's state and permissions. Changed by one thread before it is published, never after; then read by any thread.
using System.Text;
using Garnet.Engine.Execution;

namespace Garnet.Server.Acl;

/// <summary>Whether the user may log in, with which passwords, and its selectors.</summary>
internal sealed class UserRules
{
    private string? _text;

    /// <summary>The rules of a new user: off, without password, nothing allowed.</summary>
    public UserRules(CommandTable table, bool allChannels) => Selectors = [new Selector(table, allChannels)];

    private UserRules(UserRules other)
    {
        IsOn = other.IsOn;
        AcceptsAnyPassword = other.AcceptsAnyPassword;
        Passwords = [.. other.Passwords];
        Selectors = [.. other.Selectors.Select(static selector => selector.Clone())];
        Roles = [.. other.Roles];
    }

    /// <summary>Whether the user may log in. Connections that have done so are not affected.</summary>
    public bool IsOn { get; set; }

    /// <summary>nopass.</summary>
    public bool AcceptsAnyPassword { get; set; }

    public List<PasswordDigest> Passwords { get; } = [];

    /// <summary>The root selector first.</summary>
    public List<Selector> Selectors { get; }

    /// <summary>Names of the roles that the user has, each once.</summary>
    public List<string> Roles { get; } = [];

    /// <summary>The user's own selectors and those of its roles. Set when the rules are published.</summary>
    public Selector[] Effective { get; private set; } = [];

    public Selector Root => Selectors[0];

    /// <summary>True when nothing is denied, so that nothing has to be checked. Set when the rules are published.</summary>
    public bool AllowEverything { get; private set; }

    public UserRules Clone() => new(this);

    /// <summary>Ends the changes.</summary>
    /// <param name="fromRoles">The selectors of the user's roles.</param>
    public UserRules Freeze(params IEnumerable<Selector> fromRoles)
    {
        Effective = [.. Selectors, .. fromRoles];
        AllowEverything = Array.Exists(Effective, static selector => selector.AllowsEverything);
        return this;
    }

    /// <summary>Whether a password is one of the user's. The time taken does not depend on where it differs.</summary>
    public bool Accept(ReadOnlySpan<byte> password)
    {
        if (AcceptsAnyPassword)
            return true;
        var given = PasswordDigest.Of(password);
        bool accepted = false;
        foreach (PasswordDigest each in Passwords)
            accepted |= each.Matches(given);
        return accepted;
    }

    /// <summary>Whether a channel may be used, or a pattern of channels.</summary>
    public bool AllowsChannel(byte[] channel, bool isPattern) =>
        Array.Exists(Effective, selector => selector.AllowsChannel(channel, isPattern));

    /// <summary>
    /// Whether clients keep the subscriptions they have when these rules replace others: no channel was allowed before, or all are now. As
    /// in Valkey, other rules are not compared, so that subscriptions of the client's earlier user end with the first change of its present
    /// user's channels.
    /// </summary>
    public bool KeepsSubscriptionsOf(UserRules former) =>
        Array.Exists(Effective, static selector => selector.AllChannels)
        || Array.TrueForAll(former.Effective, static selector => !selector.AllChannels && selector.Channels.Count == 0);

    /// <summary>The rules that turn a new user into this one, as ACL LIST shows them.</summary>
    public override string ToString() => _text ??= Describe();

    private string Describe()
    {
        StringBuilder text = new(IsOn ? "on " : "off ");
        if (AcceptsAnyPassword)
            text.Append("nopass ");
        foreach (PasswordDigest password in Passwords)
            text.Append('#').Append(password).Append(' ');
        if (Roles.Count > 0)
            text.Append("role=").AppendJoin(',', Roles).Append(' ');
        return AppendSelectors(text).ToString();
    }

    /// <summary>The rules that turn a new role into this one, as ACL LIST shows them.</summary>
    public string DescribeRole() => AppendSelectors(new StringBuilder()).ToString();

    private StringBuilder AppendSelectors(StringBuilder text)
    {
        text.Append(Root);
        foreach (Selector selector in Selectors.Skip(1))
            text.Append(" (").Append(selector).Append(')');
        return text;
    }
}
