// Changes that are made one at a time, in the order in which they were requested. Thread-safe.
namespace Garnet.Server.Persistence;

/// <summary>
/// Runs changes on a thread of its own, which exists while there are any: they wait for the barrier and for disks, and who requests one may
/// be inside a command.
/// </summary>
internal sealed class ChangeQueue
{
    private readonly Lock _gate = new();
    private readonly Queue<Action> _waiting = new();
    private readonly ManualResetEventSlim _idle = new(initialState: true);

    /// <summary>Adds a change, which must not throw.</summary>
    public void Add(Action change)
    {
        lock (_gate)
        {
            _waiting.Enqueue(change);
            if (!_idle.IsSet)
                return;
            _idle.Reset();
        }

        new Thread(Run) { IsBackground = true, Name = "log-change" }.Start();
    }

    /// <summary>As <see cref="Add"/>, for a change with a result. It may throw.</summary>
    public Task<T> RunAsync<T>(Func<T> change)
    {
        Task<T> task = new(change, TaskCreationOptions.RunContinuationsAsynchronously);
        Add(task.RunSynchronously);
        return task;
    }

    /// <summary>Waits until nothing is left to do.</summary>
    public void WaitUntilIdle() => _idle.Wait();

    private void Run()
    {
        while (true)
        {
            Action? next;
            lock (_gate)
            {
                if (!_waiting.TryDequeue(out next))
                {
                    _idle.Set();
                    return;
                }
            }

            next();
        }
    }
}
