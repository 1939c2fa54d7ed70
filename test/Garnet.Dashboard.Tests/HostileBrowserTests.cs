// The page in a browser, beside what could harm it: hostile keys and a server that changes. Each test starts a server of its own.
using System.Text;
using Garnet.Testing;
using Xunit;

namespace Garnet.Dashboard.Tests;

public sealed class HostileBrowserTests
{
    private const string HostileUser = "\u202Eeve<img/src=x/onerror=window.pwned=1>\u200B";

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
        server.Execute("SET", "quoted", "a\"b\\x0ac\\");
        server.Execute(["RPUSH", "long", .. Enumerable.Repeat("x", 5000)]);
        server.Execute("CONFIG", "SET", "slowlog-log-slower-than", "0");
        foreach (byte[] line in HostileText.All)
            server.Execute("EVAL"u8.ToArray(), "redis.log(redis.LOG_WARNING, ARGV[1])"u8.ToArray(), "0"u8.ToArray(), line);
        server.Execute("ACL", "SETUSER", HostileUser, "on", ">x", "~*", "+@all", "-latency");
        using RespExchange client = server.Connect();
        client.Execute("AUTH", "secret");
        Assert.Equal("+OK\r\n", client.ExecuteText("CLIENT", "SETNAME", "name<script>window.pwned=1</script>"));
        BrowserScenario.Run(server, "hostile", HostileUser, "x");
    }

    [PeerFact("browser")]
    public async Task Long_names_are_cut_and_what_is_left_out_is_said()
    {
        await using DashboardTestServer server = await DashboardTestServer.StartAsync();
        for (int i = 0; i < 500; i++)
            server.Execute("SET", $"key:{i}", "x");
        for (int i = 0; i < 60; i++)
            server.Execute("SET", $"{i}{new string('n', 300_000)}{new string(':', 1_000)}", "x");
        server.Execute("SET", new string('n', 9 << 20), "x");
        server.Execute("SET", @"back\x41slash", "x");
        BrowserScenario.Run(server, "longNames");
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
            BrowserScenario.Fill(server);
            Task stopped = StopWhenAskedAsync(server);
            await Task.Run(() => BrowserScenario.Run(server, "changes"));
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

    private static byte[] Joined(ReadOnlySpan<byte> prefix, byte[] name) => [.. prefix, .. name];
}
