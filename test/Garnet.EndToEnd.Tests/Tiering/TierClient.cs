// What tests of servers with --maxdisk send and ask. Stateless.
using System.Diagnostics;
using System.Text;
using Garnet.Testing;
using Xunit;

namespace Garnet.EndToEnd.Tests.Tiering;

/// <summary>About 125 MB of values where some 50 MB are left for data.</summary>
internal static class TierClient
{
    public const int Keys = 120_000;
    public const int Pipeline = 500;
    public static readonly string[] Sizes = ["--maxmemory", "100mb", "--maxdisk", "1gb"];
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);

    public static void Await(RespExchange client, string section, string activity)
    {
        long start = Stopwatch.GetTimestamp();
        while (Info(client, section)[activity] != "0")
        {
            Assert.True(Stopwatch.GetElapsedTime(start) < Patience, $"{activity} does not end");
            Thread.Sleep(20);
        }
    }

    public static void SendMany(RespExchange client, int first, Func<int, string[]> request, Func<int, string> reply)
    {
        using MemoryStream requests = new();
        for (int i = first; i < first + Pipeline; i++)
            RespExchange.Encode(requests, [.. request(i).Select(Encoding.ASCII.GetBytes)]);
        client.Send(requests.ToArray());
        for (int i = first; i < first + Pipeline; i++)
            Assert.Contains(reply(i), Encoding.ASCII.GetString(client.ReadReply()!), StringComparison.Ordinal);
    }

    public static string ValueOf(int i) =>
        i.ToString("D8", System.Globalization.CultureInfo.InvariantCulture) + new string((char)('a' + (i % 26)), 1016);

    public static Dictionary<string, string> Info(RespExchange client, string section) =>
        client
            .ExecuteText("INFO", section)
            .Split("\r\n")
            .Where(static line => line.Contains(':', StringComparison.Ordinal))
            .ToDictionary(static line => line.Split(':')[0], static line => line.Split(':')[1]);
}
