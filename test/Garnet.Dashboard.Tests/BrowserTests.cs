// The page in a browser, as users with different rights see it. Each test starts a server of its own.
using Garnet.Testing;
using Xunit;

namespace Garnet.Dashboard.Tests;

public sealed class BrowserTests
{
    [PeerFact("browser")]
    public async Task An_administrator_uses_every_view()
    {
        string folder = Directory.CreateTempSubdirectory("garnet-dashboard-").FullName;
        try
        {
            await using DashboardTestServer server = await DashboardTestServer.StartAsync(o =>
                (o.Dir, o.MaxMemoryBytes, o.MaxDiskBytes) = (folder, 4L << 30, 64 << 20)
            );
            BrowserScenario.Fill(server);
            await MoveToDiskAsync(server);
            BrowserScenario.Run(server, "administrator");
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    [PeerFact("browser")]
    public async Task A_user_with_three_rights_sees_three_things_and_reads_what_the_others_need()
    {
        await using DashboardTestServer server = await DashboardTestServer.StartAsync(static o => o.Password = "secret");
        BrowserScenario.Fill(server);
        server.Execute("ACL", "SETUSER", "ann", "on", ">x", "~*", "+info", "+scan", "+type");
        BrowserScenario.Run(server, "threeRights", "ann", "x");
    }

    [PeerFact("browser")]
    public async Task A_user_without_rights_reads_what_is_needed()
    {
        await using DashboardTestServer server = await DashboardTestServer.StartAsync(static o => o.Password = "secret");
        server.Execute("ACL", "SETUSER", "bob", "on", ">x");
        BrowserScenario.Run(server, "nobody", "bob", "x");
    }

    // Some values of another database, by a limit that is too low for a while.
    private static async Task MoveToDiskAsync(DashboardTestServer server)
    {
        using RespExchange client = server.Connect();
        client.Execute("SELECT", "1");
        string value = new('v', 16_000);
        for (int i = 0; i < 1_000; i++)
            client.Execute("SET", $"key:{i}", value);
        client.Execute("CONFIG", "SET", "maxmemory", $"{client.InfoNumber("used_memory") - (4 << 20)}");
        while (client.InfoNumber("tier_cold_keys") == 0)
            await Task.Delay(10);
        client.Execute("CONFIG", "SET", "maxmemory", "4gb");
    }
}
