// Who new connections are.
namespace Garnet.Engine.Execution;

/// <summary>Whether clients have to log in.</summary>
internal abstract class LoginRules
{
    /// <summary>Whether connections begin without being logged in.</summary>
    public abstract bool RequireLogin { get; }

    /// <summary>The user of connections that have not logged in.</summary>
    public abstract ClientUser DefaultUser { get; }
}
