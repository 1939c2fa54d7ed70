// The page in a browser. Each test starts a server of its own; skipped where chromium or its driver is missing.
using System.Text;
using Garnet.Testing;
using Xunit;

namespace Garnet.Dashboard.Tests;

public sealed class BrowserTests
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

    [PeerFact("browser")]
    public async Task An_administrator_uses_every_view()
    {
        await using DashboardTestServer server = await DashboardTestServer.StartAsync();
        Fill(server);
        Browse(server, "administrator");
    }

    [PeerFact("browser")]
    public async Task A_user_with_three_rights_sees_three_things_and_reads_what_the_others_need()
    {
        await using DashboardTestServer server = await DashboardTestServer.StartAsync(static o => o.Password = "secret");
        Fill(server);
        server.Execute("ACL", "SETUSER", "ann", "on", ">x", "~*", "+info", "+scan", "+type");
        Browse(server, "threeRights", "ann", "x");
    }

    [PeerFact("browser")]
    public async Task A_user_without_rights_reads_what_is_needed()
    {
        await using DashboardTestServer server = await DashboardTestServer.StartAsync(static o => o.Password = "secret");
        server.Execute("ACL", "SETUSER", "bob", "on", ">x");
        Browse(server, "nobody", "bob", "x");
    }

    [PeerFact("browser")]
    public async Task Hostile_keys_and_values_are_shown_and_never_run()
    {
        await using DashboardTestServer server = await DashboardTestServer.StartAsync(static o => o.Password = "secret");
        foreach (byte[] name in HostileText.All)
        {
            foreach (byte[] value in HostileText.All)
                server.Execute("RPUSH"u8.ToArray(), Joined("list:"u8, name), value);
            server.Execute("SET"u8.ToArray(), name, name);
            server.Execute("HSET"u8.ToArray(), "hash"u8.ToArray(), name, name);
            server.Execute("ZADD"u8.ToArray(), "zset"u8.ToArray(), "1"u8.ToArray(), name);
            server.Execute("SADD"u8.ToArray(), "set"u8.ToArray(), name);
            server.Execute("XADD"u8.ToArray(), "stream"u8.ToArray(), "*"u8.ToArray(), name, name);
            server.Execute("RPUSH"u8.ToArray(), "elements"u8.ToArray(), name);
        }

        server.Execute("SET", "<script>window.pwned=1</script>", "<img src=x onerror=window.pwned=1>");
        // Values whose indents, or whose escapes, would be too much for a browser.
        server.Execute("SET", "deep", new string('[', 32_000) + new string(']', 32_000));
        server.Execute("RPUSH", "many", string.Concat(Enumerable.Repeat("\0a", 2_000_000)));
        server.Execute("SET", "parts", string.Concat(Enumerable.Repeat("€", 50_000)));
        server.Execute("CONFIG", "SET", "slowlog-log-slower-than", "0");
        foreach (byte[] line in HostileText.All)
            server.Execute("EVAL"u8.ToArray(), "redis.log(redis.LOG_WARNING, ARGV[1])"u8.ToArray(), "0"u8.ToArray(), line);
        server.Execute("ACL", "SETUSER", HostileUser, "on", ">x", "~*", "+@all", "-latency");
        Browse(server, "hostile", HostileUser, "x");
    }

    [PeerFact("browser")]
    public async Task A_page_stays_while_its_server_saves_changes_its_role_loads_takes_rights_and_stops()
    {
        string folder = Directory.CreateTempSubdirectory("garnet-dashboard-").FullName;
        try
        {
            await using DashboardTestServer server = await DashboardTestServer.StartAsync(o =>
            {
                (o.Dir, o.DashboardWrites, o.EnableDebugCommand) = (folder, true, CommandAccess.Yes);
            });
            Fill(server);
            Task stopped = StopWhenAskedAsync(server);
            await Task.Run(() => Browse(server, "changes"));
            await stopped;
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    // The page's reader sets a key when the server is to stop.
    private static async Task StopWhenAskedAsync(DashboardTestServer server)
    {
        using RespExchange client = server.Connect();
        while (client.ExecuteText("EXISTS", "stop") != ":1\r\n")
            await Task.Delay(10);
        await server.DisposeAsync();
    }

    private const string HostileUser = "\u202Eeve<img/src=x/onerror=window.pwned=1>\u200B";

    private static void Fill(DashboardTestServer server)
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

    private static byte[] Joined(ReadOnlySpan<byte> prefix, byte[] name) => [.. prefix, .. name];

    private static void Browse(DashboardTestServer server, string scenario, string user = "", string password = "")
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
