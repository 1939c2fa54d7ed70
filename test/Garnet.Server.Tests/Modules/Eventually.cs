// Waits for what another thread does. One thread.
using System.Diagnostics;
using Xunit;

namespace Garnet.Server.Tests.Modules;

/// <summary>Asks again and again whether something has happened.</summary>
internal static class Eventually
{
    private static readonly TimeSpan Longest = TimeSpan.FromMinutes(2);

    /// <summary>Returns once it has; fails after a long time.</summary>
    public static void True(Func<bool> hasHappened)
    {
        long start = Stopwatch.GetTimestamp();
        while (!hasHappened())
        {
            Assert.True(Stopwatch.GetElapsedTime(start) < Longest, "It did not happen.");
            Thread.Sleep(1);
        }
    }

    /// <summary>Returns a server's reply once it is the expected one.</summary>
    public static void Replies(InProcessServer server, string expected, params string[] command)
    {
        string last = "";
        long start = Stopwatch.GetTimestamp();
        while ((last = server.Call(command)) != expected && Stopwatch.GetElapsedTime(start) < Longest)
            Thread.Sleep(1);
        Assert.Equal(expected, last);
    }
}
