// Waits for a reply that another thread brings about. One thread a client.
using System.Diagnostics;

namespace Garnet.Server.Tests.Commands;

/// <summary>Takes replies of commands that wait.</summary>
internal static class Later
{
    private static readonly TimeSpan Longest = TimeSpan.FromSeconds(30);

    /// <summary>Gives the next replies as soon as there are some; fails after a long while.</summary>
    public static string Receive(InProcessClient client)
    {
        long start = Stopwatch.GetTimestamp();
        while (true)
        {
            string reply = client.Receive();
            if (reply.Length > 0)
                return reply;
            if (Stopwatch.GetElapsedTime(start) > Longest)
                throw new TimeoutException("No reply came.");
            Thread.Sleep(1);
        }
    }
}
