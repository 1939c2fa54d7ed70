// The thread that owns in-process connections: the test's thread, which runs posted work when the test says so. Posting: any thread.
using System.Collections.Concurrent;

namespace Garnet.Server.Tests;

/// <summary>Created by the thread that acts as the owner.</summary>
internal sealed class InProcessOwner(int id)
{
    private readonly ConcurrentQueue<(Action<object?> Action, object? State)> _posts = [];
    private readonly int _thread = Environment.CurrentManagedThreadId;
    private int _posted;

    /// <summary>The owner's number.</summary>
    public int Id { get; } = id;

    /// <summary>Whether the calling thread is the owner.</summary>
    public bool IsCurrent => Environment.CurrentManagedThreadId == _thread;

    /// <summary>Number of posts so far.</summary>
    public int Posted => Volatile.Read(ref _posted);

    /// <summary>Queues work.</summary>
    public void Post(Action<object?> action, object? state)
    {
        _posts.Enqueue((action, state));
        Interlocked.Increment(ref _posted);
    }

    /// <summary>Runs the work posted before the call.</summary>
    public void RunRound()
    {
        for (int left = _posts.Count; left > 0 && _posts.TryDequeue(out (Action<object?> Action, object? State) post); left--)
            post.Action(post.State);
    }
}
