// Drives the page in Debian's chromium. Stateless; any thread.
using Garnet.Testing;
using Xunit;

namespace Garnet.Dashboard.Tests;

/// <summary>A scenario of <c>test/clients/dashboard/browse.mjs</c>, and the keys that it expects.</summary>
internal static class BrowserScenario
{
    // A map of one member, "compact": true, and one of an array.
    private static readonly byte[] Packed =
    [
        0x82,
        0xA7,
        .. "compact"u8,
        0xC3,
        0xA4,
        .. "list"u8,
        0x93,
        1,
        2,
        0xCB,
        0x3F,
        0xF8,
        0,
        0,
        0,
        0,
        0,
        0,
    ];

    /// <summary>Sets the keys.</summary>
    public static void Fill(DashboardTestServer server)
    {
        server.Execute("SET", "json", """{"n":12345678901234567890,"name":"ann","list":[1,2.50,null]}""");
        server.Execute("SET"u8.ToArray(), "packed"u8.ToArray(), Packed);
        server.Execute("SET"u8.ToArray(), "binary"u8.ToArray(), [0, 255, 1, 254]);
        server.Execute("HSET", "user:1:profile", "name", "ann");
        server.Execute("RPUSH", "queue", "one", "two");
        server.Execute("SADD", "tags", "red", "green");
        server.Execute("ZADD", "board", "1.5", "ann", "2", "bob");
        server.Execute("XADD", "log", "*", "event", "login");
    }

    /// <summary>Runs a scenario to its end.</summary>
    public static void Run(DashboardTestServer server, string scenario, string user = "", string password = "")
    {
        string script = RepositoryRoot.Combine("test", "clients", "dashboard", "browse.mjs");
        string shots = Environment.GetEnvironmentVariable("GARNET_SCREENSHOTS") ?? "";
        string environment = $"CHROMIUM={Peers.Find("browser")}";
        var run = ClientProcess.Run(
            "/usr/bin/env",
            [environment, Peers.Find("node"), script, server.Address.ToString(), scenario, user, password, shots]
        );
        Assert.True(run.ExitCode == 0, run.Output);
    }
}
