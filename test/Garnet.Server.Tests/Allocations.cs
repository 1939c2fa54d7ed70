// Asserts that commands allocate no managed memory in steady state. One thread.
using Xunit;

namespace Garnet.Server.Tests;

/// <summary>
/// Measures what a server allocates on the calling thread, which runs the in-process sessions. Each assertion takes the minimum of several
/// measurements: a garbage collection that trims pooled buffers or the compilation of a method adds to one of them, while a command that
/// allocates adds to all.
/// </summary>
internal static class Allocations
{
    private const int Measurements = 20;
    private const int BatchSize = 17;

    /// <summary>Asserts that the commands of a batch after its first allocate nothing; waking up for a batch may.</summary>
    public static void AssertNone(InProcessServer server, string command)
    {
        byte[] one = InProcessClient.Request(command.Split(' '));
        byte[] batch = [.. Enumerable.Repeat(one, BatchSize).SelectMany(bytes => bytes)];
        for (int i = 0; i < 200; i++)
        {
            Measure(server, one);
            Measure(server, batch);
        }

        long least = long.MaxValue;
        for (int i = 0; i < Measurements; i++)
            least = Math.Min(least, Math.Abs(Measure(server, batch) - Measure(server, one)));
        Assert.Equal(0, least);
    }

    /// <summary>
    /// Asserts that the requests, each repeated in pipelines, allocate less per command than the smallest object takes: a pipeline
    /// allocates for its awaits and occasionally a pipe segment.
    /// </summary>
    public static void AssertNone(InProcessServer server, params byte[][] requests)
    {
        const int repetitions = 100;
        byte[] pipeline = [.. Enumerable.Repeat(requests.SelectMany(request => request), repetitions).SelectMany(bytes => bytes)];
        for (int i = 0; i < 20; i++)
            Measure(server, pipeline);
        long least = long.MaxValue;
        for (int i = 0; i < Measurements; i++)
            least = Math.Min(least, Measure(server, pipeline));
        int commands = repetitions * requests.Length;
        Assert.True(least < commands * IntPtr.Size, $"{least} bytes for {commands} commands");
    }

    private static long Measure(InProcessServer server, byte[] requests)
    {
        long before = GC.GetAllocatedBytesForCurrentThread();
        server.Client.Send(requests);
        long allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        Assert.NotEqual(0, server.Client.Discard());
        return allocated;
    }
}
