// INFO threads, a section specific to this server. Any thread.
using Garnet.Engine.Execution;
using Garnet.Server.Basics;
using Garnet.Server.Configuration;

namespace Garnet.Server.Statistics;

/// <summary>The transport and threads that serve clients, and the state of the thread pool.</summary>
internal sealed class ThreadsSection(ServerConfiguration configuration, IHostFigures host, ThreadScratchPool threads)
    : InfoSection("threads", "Threads", isDefault: true)
{
    /// <inheritdoc/>
    public override void Write(InfoText text, CounterTotals totals)
    {
        GarnetOptions options = configuration.Current;
        ThreadPool.GetMinThreads(out int minWorkers, out int minCompletions);
        ThreadPool.GetMaxThreads(out int maxWorkers, out int maxCompletions);
        text.Field("transport", OptionTable.Find("transport")!.Format(options));
        text.Field("io_threads", host.IoThreads);
        text.Field("io_threads_wanted", options.IoThreads);
        text.Field("executing_threads", threads.All.Count());
        text.Field("prefetch_batch_max_size", options.PrefetchBatchMaxSize);
        text.Field("thread_pool_min_threads", minWorkers);
        text.Field("thread_pool_max_threads", maxWorkers);
        text.Field("thread_pool_min_io_completion_threads", minCompletions);
        text.Field("thread_pool_max_io_completion_threads", maxCompletions);
        text.Field("thread_pool_threads", ThreadPool.ThreadCount);
        text.Field("thread_pool_pending_items", ThreadPool.PendingWorkItemCount);
        text.Field("thread_pool_completed_items", ThreadPool.CompletedWorkItemCount);
        text.Field("processors", Environment.ProcessorCount);
    }
}
