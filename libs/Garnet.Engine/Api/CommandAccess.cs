// Who may use a guarded command. Immutable, any thread.
namespace Garnet;

/// <summary>Who may use a guarded command.</summary>
public enum CommandAccess
{
    /// <summary>No client.</summary>
    No,

    /// <summary>Everybody.</summary>
    Yes,

    /// <summary>Clients on this machine.</summary>
    Local,
}
