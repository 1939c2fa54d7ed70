// Waits for a reply that another thread produces. One thread per client.
using System.Diagnostics;

namespace Garnet.Server.Tests.Commands;

/// <summary>Receives replies of commands that wait.</summary>
internal static class Later
{
    private static readonly TimeSpan Longest = TimeSpan.FromSeconds(30);

    /// <summary>Returns the next replies as soon as there are any; fails after a long time.</summary>
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
