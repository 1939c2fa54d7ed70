// What the page's connections may take from other clients, and what they are not trusted with. Each test starts a server of its own.
using System.Text.Json;
using Garnet.Testing;
using Xunit;

namespace Garnet.Dashboard.Tests;

public sealed class AdmissionTests
{
    [Fact]
    public async Task The_page_of_a_full_server_opens_and_takes_no_clients_place()
    {
        await using DashboardTestServer server = await DashboardTestServer.StartAsync(static o => o.MaxClients = 2);
        using RespExchange first = server.Connect();
        Assert.Equal("+PONG\r\n", first.ExecuteText("PING"));
        using Browser browser = await server.OpenAsync();
        await AssertRunsAsync(browser);
        using RespExchange second = server.Connect();
        Assert.Equal("+PONG\r\n", second.ExecuteText("PING"));
        await AssertRunsAsync(browser);
        using Browser another = await server.OpenAsync();
        await AssertRunsAsync(another);
        using RespExchange third = server.Connect();
        Assert.Equal("-ERR max number of clients reached\r\n", third.ExecuteText("PING"));
    }

    [Fact]
    public async Task What_only_clients_of_this_machine_may_do_no_page_may()
    {
        await using DashboardTestServer server = await DashboardTestServer.StartAsync(static o =>
        {
            o.EnableDebugCommand = CommandAccess.Local;
            o.DashboardWrites = true;
        });
        using RespExchange client = server.Connect();
        Assert.Equal("+OK\r\n", client.ExecuteText("DEBUG", "SLEEP", "0"));
        using Browser browser = await server.OpenAsync();
        JsonElement answer = await browser.PostAsync(
            "api/command",
            new
            {
                db = 0,
                line = "DEBUG SLEEP 0",
                confirmed = true,
            }
        );
        Assert.StartsWith("ERR DEBUG command not allowed", answer.GetProperty("reply").GetProperty("e").GetString());
    }

    private static async Task AssertRunsAsync(Browser browser)
    {
        JsonElement ping = await browser.PostAsync("api/command", new { db = 0, line = "PING" });
        Assert.Equal("PONG", ping.GetProperty("reply").GetProperty("s").GetString());
    }
}
