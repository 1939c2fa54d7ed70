// Batch contexts whose threads have ended. One thread that starts others.
using Garnet.Engine.Execution;
using Garnet.Server.Basics;
using Garnet.Server.Configuration;
using Garnet.Server.Logs;
using Xunit;

namespace Garnet.Server.Tests.Sessions;

public sealed class WorkerPoolTests
{
    [Fact]
    public void A_thread_keeps_its_own_context()
    {
        using ThreadScratchPool pool = NewPool();
        ThreadScratch mine = pool.Current;
        ThreadScratch? other = null;
        Run(() => other = pool.Current);
        Assert.Same(mine, pool.Current);
        Assert.NotSame(mine, other);
        Assert.Equal(2, pool.All.Count());
    }

    [Fact]
    public void Contexts_of_ended_threads_are_reused_and_keep_their_counts()
    {
        const int Threads = 40;
        using ThreadScratchPool pool = NewPool();
        for (int i = 0; i < Threads; i++)
        {
            Run(() => pool.Current.Counters.CommandsProcessed++);
            // Two rounds: the first collects the thread's own objects, the second what those referred to.
            for (int round = 0; round < 2; round++)
            {
                GC.Collect();
                GC.WaitForPendingFinalizers();
            }
        }

        Assert.Equal(Threads, pool.All.Sum(batch => batch.Counters.CommandsProcessed));
        Assert.InRange(pool.All.Count(), 1, Threads / 4);
    }

    private static ThreadScratchPool NewPool()
    {
        ServerConfiguration configuration = new(new GarnetOptions(), file: null);
        return new ThreadScratchPool(new CommandTable([]), new CommandLogs(configuration, new ServerActivities("test")));
    }

    private static void Run(Action work)
    {
        Thread thread = new(() => work());
        thread.Start();
        thread.Join();
    }
}
