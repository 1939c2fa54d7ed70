// Why a user may not run a command. Immutable.
namespace Garnet.Engine.Counters;

/// <summary>The reasons, in the order in which a later one is preferred when selectors deny a call for different reasons.</summary>
internal enum Denial
{
    /// <summary>The call is allowed.</summary>
    None,

    /// <summary>A database.</summary>
    Database,

    /// <summary>The command.</summary>
    Command,

    /// <summary>A key.</summary>
    Key,

    /// <summary>A channel.</summary>
    Channel,

    /// <summary>A login was refused.</summary>
    Login,

    /// <summary>A client's certificate names no user that is allowed to log in.</summary>
    Certificate,
}
