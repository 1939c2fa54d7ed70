// Somebody that waits for the log to be on the disk.
namespace Garnet.Persistence.AppendLog;

/// <summary>Told once, on a thread of the log's; must return at once and not throw.</summary>
public interface IDurabilityWaiter
{
    /// <summary>The wait is over: what was waited for is on the disk, or never will be (<see cref="AppendOnlyLog.IsFailed"/>).</summary>
    void OnDurable();
}
