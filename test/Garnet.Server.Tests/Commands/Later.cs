// Waits for a reply that another thread produces. One thread per client.
using System.Diagnostics;
using Xunit;

namespace Garnet.Server.Tests.Commands;

/// <summary>Receives replies of commands that wait.</summary>
internal static class Later
{
    // Only a hang takes this long; a busy machine may take half a minute for a save.
    private static readonly TimeSpan Longest = TimeSpan.FromMinutes(5);

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

    /// <summary>
    /// As <see cref="Receive"/>, and returns once the session is ready for the next request: the replies may have come from another
    /// thread, on which it is still busy.
    /// </summary>
    public static string ReceiveUntilReady(InProcessClient client)
    {
        string replies = "";
        Assert.True(
            SpinWait.SpinUntil(() => ((replies += client.Receive()).Length > 0 && client.IsReady) || client.IsClosed, Longest),
            "no reply came"
        );
        return replies;
    }
}
