// Who a client is, as far as running its commands depends on it.

namespace Garnet.Engine.Execution;

/// <summary>The user that a client is logged in as.</summary>
internal abstract class ClientUser
{
    private volatile bool _isRestricted;

    /// <summary>
    /// Whether there is anything that the user may not do: true before the rules forbid something, false after they allow everything.
    /// </summary>
    public bool IsRestricted
    {
        get => _isRestricted;
        protected set => _isRestricted = value;
    }

    /// <summary>Whether the user may make a call and read every key besides, as SORT needs for keys made of values.</summary>
    public abstract bool MayReadEveryKey(in CommandContext call);
}
