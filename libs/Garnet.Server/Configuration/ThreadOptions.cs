// The options about threads. Stateless; any thread.
namespace Garnet.Server.Configuration;

/// <summary>The rows of <see cref="OptionTable"/> about threads.</summary>
internal static class ThreadOptions
{
    public static OptionDescriptor[] All() =>
        [
            new IntegerOption("io-threads", static o => o.IoThreads, static (o, v) => o.IoThreads = (int)v, 0, 256)
            {
                Group = OptionGroup.Network,
                Help =
                    "Threads that read, execute and reply, or queues of the thread pool with the sockets transport. 0 is automatic: one thread at first, more while that pays; or one queue per processor.",
                Mutability = Mutability.Runtime,
            },
            new IntegerOption(
                "prefetch-batch-max-size",
                static o => o.PrefetchBatchMaxSize,
                static (o, v) => o.PrefetchBatchMaxSize = (int)v,
                0,
                128
            )
            {
                Group = OptionGroup.Network,
                Help = "Commands of a pipeline whose keys are prefetched together before they run; 0 disables prefetching.",
                Mutability = Mutability.Runtime,
            },
            new IntegerOption(
                "thread-pool-min-threads",
                static o => o.ThreadPoolMinThreads,
                static (o, v) => o.ThreadPoolMinThreads = (int)v,
                0,
                short.MaxValue
            )
            {
                Group = OptionGroup.Network,
                Help = "Minimum number of the runtime's pool threads; 0 keeps the runtime's. Matters for the sockets transport.",
            },
            new IntegerOption(
                "thread-pool-max-threads",
                static o => o.ThreadPoolMaxThreads,
                static (o, v) => o.ThreadPoolMaxThreads = (int)v,
                0,
                short.MaxValue
            )
            {
                Group = OptionGroup.Network,
                Help = "Maximum number of the runtime's pool threads; 0 keeps the runtime's.",
            },
            new IntegerOption(
                "thread-pool-min-io-completion-threads",
                static o => o.ThreadPoolMinIOCompletionThreads,
                static (o, v) => o.ThreadPoolMinIOCompletionThreads = (int)v,
                0,
                short.MaxValue
            )
            {
                Group = OptionGroup.Network,
                Help = "Minimum number of I/O completion threads; 0 keeps the runtime's. The runtime's portable pool hardly uses them.",
            },
            new IntegerOption(
                "thread-pool-max-io-completion-threads",
                static o => o.ThreadPoolMaxIOCompletionThreads,
                static (o, v) => o.ThreadPoolMaxIOCompletionThreads = (int)v,
                0,
                short.MaxValue
            )
            {
                Group = OptionGroup.Network,
                Help = "Maximum number of I/O completion threads; 0 keeps the runtime's. The runtime's portable pool hardly uses them.",
            },
        ];
}
