// Waits for the log to become durable.
namespace Garnet.Persistence.AppendLog;

/// <summary>Notified once, on a thread of the log; must return at once and not throw.</summary>
internal interface IDurabilityWaiter
{
    /// <summary>The wait is over: the position is durable, or never will be (<see cref="AppendOnlyLog.IsFailed"/>).</summary>
    void OnDurable();
}
