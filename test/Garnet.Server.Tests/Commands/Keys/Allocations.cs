// Asserts that commands allocate nothing managed in steady state. One thread.
using Xunit;

namespace Garnet.Server.Tests.Commands.Keys;

/// <summary>Measures what a server allocates on the calling thread, which runs the in-process sessions.</summary>
internal static class Allocations
{
    private const int Rounds = 20;
    private const int RepetitionsInPipeline = 100;

    /// <summary>Sends the requests as pipelines to warm up, then as often again while counting.</summary>
    public static void AssertNone(InProcessServer server, params byte[][] requests)
    {
        byte[] pipeline = [.. Enumerable.Repeat(requests.SelectMany(request => request), RepetitionsInPipeline).SelectMany(bytes => bytes)];
        Run(server, pipeline);
        long before = GC.GetAllocatedBytesForCurrentThread();
        Run(server, pipeline);
        long allocated = GC.GetAllocatedBytesForCurrentThread() - before;

        // A batch costs its awaits and now and then a pipe segment; per command that must come to less than the smallest object.
        long commands = (long)Rounds * RepetitionsInPipeline * requests.Length;
        Assert.True(allocated < commands * IntPtr.Size, $"{allocated} bytes for {commands} commands");
    }

    private static void Run(InProcessServer server, byte[] pipeline)
    {
        for (int i = 0; i < Rounds; i++)
        {
            server.Client.Send(pipeline);
            server.Client.Discard();
        }
    }
}
