// The ways in which the wait of a blocked command ends.
namespace Garnet.Engine.Rules;

/// <summary>Why a blocked command no longer waits.</summary>
internal enum WaitEnd
{
    /// <summary>It is still waiting.</summary>
    None,

    /// <summary>It was executed again and has its reply.</summary>
    Served,

    /// <summary>It timed out, or CLIENT UNBLOCK ended it.</summary>
    TimedOut,

    /// <summary>CLIENT UNBLOCK ... ERROR.</summary>
    Unblocked,

    /// <summary>The server has become a replica.</summary>
    RoleChanged,

    /// <summary>The connection is gone.</summary>
    Closed,
}
