// Actions that are one point in time for all sessions. Stateless.
namespace Garnet.Store;

/// <summary>Runs code while no other session is inside a command.</summary>
internal static class StoreExclusion
{
    /// <summary>Runs an action while no other session is inside a command, as one point in time. No latch may be held.</summary>
    public static void RunExclusive(this StoreSession session, Action action)
    {
        ArgumentNullException.ThrowIfNull(action);
        session.BeginExclusive();
        try
        {
            action();
        }
        finally
        {
            session.EndExclusive();
        }
    }
}
