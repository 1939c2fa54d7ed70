// Passwords that are typed into the console, and where they must not appear. Each test starts a server of its own.
using System.Net;
using System.Text.Json;
using Garnet.Testing;
using Xunit;

namespace Garnet.Dashboard.Tests;

public sealed class ConsoleSecretTests
{
    private const string Secret = "hunter2";

    // Refused by the console, run, or wrong: whatever becomes of them, other users do not see the password.
    private static readonly string[] Lines =
    [
        $"AUTH {Secret}",
        $"AUTH default {Secret}",
        $"auth {Secret} more {Secret}",
        $"HELLO 3 AUTH default {Secret}",
        $"ACL SETUSER eve on >{Secret}",
        $"ACL SETUSER eve <{Secret}",
        $"ACL {Secret}",
        $"CONFIG SET masterauth {Secret}",
        $"MIGRATE 127.0.0.1 1 key 0 1 AUTH {Secret}",
        $"MIGRATE 127.0.0.1 1 key 0 1 AUTH2 default {Secret}",
        $"{Secret}",
        $"{Secret} {Secret}",
        // The last one, as it ends the session where it runs.
        $"CONFIG SET requirepass {Secret}",
    ];

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_password_is_in_no_monitor_and_in_no_log(bool allowsWrites)
    {
        await using DashboardTestServer server = await DashboardTestServer.StartAsync(o => o.DashboardWrites = allowsWrites);
        server.Execute("CONFIG", "SET", "slowlog-log-slower-than", "0");
        using RespExchange monitor = server.Connect();
        Assert.Equal("+OK\r\n", monitor.ExecuteText("MONITOR"));
        using Browser browser = await server.OpenAsync();
        foreach (string line in Lines)
        {
            string command = JsonSerializer.Serialize(
                new
                {
                    db = 0,
                    line,
                    confirmed = true,
                }
            );
            // It was not a session that had ended which kept the line from running.
            Assert.Equal(HttpStatusCode.OK, await browser.StatusAsync(HttpMethod.Post, "api/command", command));
        }

        server.Execute("PUBLISH", "end", "of-test");
        string seen;
        do
        {
            seen = Text(monitor.ReadReply());
            Assert.DoesNotContain(Secret, seen);
        } while (!seen.Contains("of-test"));

        Assert.DoesNotContain(Secret, server.Server.InProcess.Execute("SLOWLOG", "GET", "-1").ToString());
        Assert.DoesNotContain(Secret, server.Server.InProcess.Execute("ACL", "LOG").ToString());
        Assert.DoesNotContain(server.Server.Dashboards.Server.LogLines, static line => line.Contains(Secret));
    }

    private static string Text(byte[]? reply) => System.Text.Encoding.UTF8.GetString(reply!);
}
