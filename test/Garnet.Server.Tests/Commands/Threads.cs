// Runs the clients of a test on separate threads, until one fails or all are done. Any thread.
namespace Garnet.Server.Tests.Commands;

/// <summary>Real threads for tests of atomicity.</summary>
internal static class Threads
{
    private static readonly TimeSpan Longest = TimeSpan.FromSeconds(60);

    /// <summary>Runs all bodies at once, each on its own thread; rethrows the first exception.</summary>
    public static void Run(params Action<CancellationToken>[] bodies)
    {
        using CancellationTokenSource stop = new(Longest);
        Exception? failure = null;
        Thread[] threads =
        [
            .. bodies.Select(body => new Thread(() =>
            {
                try
                {
                    body(stop.Token);
                }
                catch (Exception e)
                {
                    // Kept for the test's own thread, which rethrows it.
                    Interlocked.CompareExchange(ref failure, e, null);
                    stop.Cancel();
                }
            })),
        ];
        foreach (Thread thread in threads)
            thread.Start();
        foreach (Thread thread in threads)
            thread.Join();
        if (failure is not null)
            throw new InvalidOperationException("A thread failed.", failure);
    }
}
