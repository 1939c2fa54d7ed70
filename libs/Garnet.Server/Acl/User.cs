// A user of the server. Any thread; its rules are replaced as a whole.
using Garnet.Engine.Execution;

namespace Garnet.Server.Acl;

/// <summary>A name with its present rules. Connections refer to it, so that a change of the rules applies to their next command.</summary>
internal sealed class User : ClientUser
{
    private static long _latestNumber;

    private volatile UserRules _rules;

    /// <summary>A user with rules.</summary>
    public User(string name, UserRules rules)
    {
        Name = name;
        _rules = rules;
        IsRestricted = !rules.AllowEverything;
    }

    /// <summary>The name, one character per byte.</summary>
    public string Name { get; }

    /// <summary>Tells it from another user that has the same name, before or after it.</summary>
    public long Number { get; } = Interlocked.Increment(ref _latestNumber);

    /// <summary>The present rules; never changed once they are here. Set by one thread at a time.</summary>
    public UserRules Rules
    {
        get => _rules;
        set
        {
            IsRestricted |= !value.AllowEverything;
            _rules = value;
            IsRestricted = !value.AllowEverything;
        }
    }

    /// <inheritdoc/>
    public override bool MayReadEveryKey(in CommandContext call) => Permission.AllowsReadingEveryKey(Rules, in call);
}
