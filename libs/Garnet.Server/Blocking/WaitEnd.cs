// How the wait of a blocked command ends.
namespace Garnet.Server.Blocking;

/// <summary>Why a blocked command waits no more.</summary>
internal enum WaitEnd
{
    /// <summary>It waits on.</summary>
    None,

    /// <summary>It was executed again and has its reply.</summary>
    Served,

    /// <summary>Its time is over, or CLIENT UNBLOCK says so.</summary>
    TimedOut,

    /// <summary>CLIENT UNBLOCK ... ERROR.</summary>
    Unblocked,

    /// <summary>The connection is gone.</summary>
    Closed,
}
