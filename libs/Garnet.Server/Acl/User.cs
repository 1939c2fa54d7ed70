// A user of the server. Any thread; its rules are replaced as a whole.
namespace Garnet.Server.Acl;

/// <summary>A name with its present rules. Connections refer to it, so that a change of the rules applies to their next command.</summary>
internal sealed class User(string name, UserRules rules)
{
    private volatile UserRules _rules = rules;

    /// <summary>The name, one character per byte.</summary>
    public string Name { get; } = name;

    /// <summary>The present rules; never changed once they are here.</summary>
    public UserRules Rules
    {
        get => _rules;
        set => _rules = value;
    }
}
