// Applies the thread pool options. At start, by the stand-alone server alone: the pool belongs to the whole process.

namespace Garnet.Hosting;

/// <summary>Sets the bounds of the runtime's thread pool, which serves the sockets transport, timers and waiting commands.</summary>
internal static class ThreadPoolSettings
{
    /// <summary>Sets the bounds that the options give and leaves the others.</summary>
    /// <exception cref="OptionException">The bounds contradict each other or the runtime's.</exception>
    public static void Apply(GarnetOptions options)
    {
        ThreadPool.GetMinThreads(out int min, out int minIO);
        ThreadPool.GetMaxThreads(out int max, out int maxIO);
        (int newMin, int newMax) = Bounds("threads", options.ThreadPoolMinThreads, options.ThreadPoolMaxThreads, min, max);
        (int newMinIO, int newMaxIO) = Bounds(
            "io-completion-threads",
            options.ThreadPoolMinIOCompletionThreads,
            options.ThreadPoolMaxIOCompletionThreads,
            minIO,
            maxIO
        );
        // The runtime refuses a minimum above the maximum even for a moment, so the lower bounds go down before the upper ones do.
        bool accepted =
            ThreadPool.SetMinThreads(Math.Min(min, newMin), Math.Min(minIO, newMinIO))
            && ThreadPool.SetMaxThreads(newMax, newMaxIO)
            && ThreadPool.SetMinThreads(newMin, newMinIO);
        if (!accepted)
        {
            throw new OptionException(
                $"thread-pool options: the runtime refuses {newMin} to {newMax} threads and {newMinIO} to {newMaxIO} I/O completion threads"
            );
        }
    }

    private static (int Min, int Max) Bounds(string what, int min, int max, int currentMin, int currentMax)
    {
        // The runtime takes no maximum below the number of processors, and the server needs one thread a processor as well.
        if (max != 0 && max < Environment.ProcessorCount)
        {
            throw new OptionException(
                $"thread-pool-max-{what} {max}: must be at least {Environment.ProcessorCount}, the number of processors"
            );
        }

        int newMax = max == 0 ? currentMax : max;
        if (min > newMax)
            throw new OptionException($"thread-pool-min-{what} {min}: must be at most {newMax}, the greatest number of threads");
        return (min == 0 ? Math.Min(currentMin, newMax) : min, newMax);
    }
}
