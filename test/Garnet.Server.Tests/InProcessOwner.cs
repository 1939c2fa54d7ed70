// The thread that owns in-process connections: whichever runs its rounds, when a test says so. Posting: any thread.
using System.Collections.Concurrent;

namespace Garnet.Server.Tests;

/// <summary>Between two rounds it is busy elsewhere: what is posted waits.</summary>
internal sealed class InProcessOwner(int id)
{
    private readonly ConcurrentQueue<(Action<object?> Action, object? State)> _posts = [];
    private int _thread; // the one that runs a round or a client's requests; 0 while there is none
    private int _posted;

    /// <summary>The owner's number.</summary>
    public int Id { get; } = id;

    /// <summary>Whether the calling thread runs a round or a client's requests.</summary>
    public bool IsCurrent => Environment.CurrentManagedThreadId == Volatile.Read(ref _thread);

    /// <summary>Number of posts so far.</summary>
    public int Posted => Volatile.Read(ref _posted);

    /// <summary>Queues work.</summary>
    public void Post(Action<object?> action, object? state)
    {
        _posts.Enqueue((action, state));
        Interlocked.Increment(ref _posted);
    }

    /// <summary>Makes the calling thread the owner until <see cref="Leave"/>, as while it reads from a client's socket.</summary>
    public void Enter() => Volatile.Write(ref _thread, Environment.CurrentManagedThreadId);

    /// <summary>Ends it.</summary>
    public void Leave() => Volatile.Write(ref _thread, 0);

    /// <summary>Runs the work posted before the call.</summary>
    public void RunRound()
    {
        // With the test framework's synchronization context, continuations would run on the thread pool instead of here.
        SynchronizationContext? context = SynchronizationContext.Current;
        SynchronizationContext.SetSynchronizationContext(null);
        Enter();
        for (int left = _posts.Count; left > 0 && _posts.TryDequeue(out (Action<object?> Action, object? State) post); left--)
            post.Action(post.State);
        Leave();
        SynchronizationContext.SetSynchronizationContext(context);
    }
}
