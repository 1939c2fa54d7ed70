// Clients that ask and do not read, or ask for too much at once. Each test starts a server of its own.
using System.Net;
using System.Net.Sockets;
using System.Text;
using System.Text.Json;
using Garnet.Dashboard.Login;
using Xunit;

namespace Garnet.Dashboard.Tests;

public sealed class HostileClientTests
{
    private const int MiB = 1 << 20;

    private const string Command = "api/command";
    private const string Large = """{"db":0,"line":"GET large"}""";
    private const string Ping = """{"db":0,"line":"PING"}""";

    // What the kernel keeps of a reply for its reader is small, so that a reply of half a MiB waits here.
    private const int WindowBytes = 4096;

    [Fact]
    public async Task A_session_that_reads_none_of_its_large_answers_gets_few_of_them()
    {
        await using DashboardTestServer server = await DashboardTestServer.StartAsync();
        server.Execute("SET", "large", new string('x', (4 * MiB) - 64));
        using Browser browser = await server.OpenAsync();
        List<Socket> deaf = [];
        try
        {
            // Each holds 12 MiB and more, of the session's 48.
            while (await browser.StatusAsync(HttpMethod.Post, Command, Large) != HttpStatusCode.ServiceUnavailable)
                await AskAsync(server.Address, browser, deaf);
            Assert.InRange(deaf.Count, 2, 4);
            // What is small is answered, and so are others.
            Assert.Equal(HttpStatusCode.OK, await browser.StatusAsync(HttpMethod.Post, Command, Ping));
            using Browser another = await server.OpenAsync();
            Assert.Equal(HttpStatusCode.OK, await another.StatusAsync(HttpMethod.Post, Command, Large));
        }
        finally
        {
            deaf.ForEach(static each => each.Dispose());
        }

        // Once they have gone, there is place again.
        while (await browser.StatusAsync(HttpMethod.Post, Command, Large) != HttpStatusCode.OK)
            await Task.Delay(10);
    }

    [Fact]
    public async Task A_session_that_reads_none_of_its_answers_gets_few_of_them()
    {
        await using DashboardTestServer server = await DashboardTestServer.StartAsync();
        server.Execute("SET", "large", new string('x', MiB / 2));
        using Browser browser = await server.OpenAsync();
        List<Socket> deaf = [];
        try
        {
            while (deaf.Count < DashboardSession.MaxRequests)
                await AskAsync(server.Address, browser, deaf);
            Assert.Equal(HttpStatusCode.TooManyRequests, await browser.StatusAsync(HttpMethod.Post, Command, Ping));
        }
        finally
        {
            deaf.ForEach(static each => each.Dispose());
        }

        while (await browser.StatusAsync(HttpMethod.Post, Command, Ping) != HttpStatusCode.OK)
            await Task.Delay(10);
    }

    [Fact]
    public async Task A_user_without_rights_gets_no_history()
    {
        await using DashboardTestServer server = await DashboardTestServer.StartAsync(static o => o.Password = "secret");
        server.Execute("ACL", "SETUSER", "bob", "on", ">x");
        server.Execute("ACL", "SETUSER", "ann", "on", ">x", "+info");
        using Browser ann = await server.OpenAsync("ann", "x");
        while (await RowsAsync(ann) == 0)
            await Task.Delay(10);
        using Browser bob = await server.OpenAsync("bob", "x");
        Assert.Equal(0, await RowsAsync(bob));
    }

    private static async Task<int> RowsAsync(Browser browser)
    {
        using HttpResponseMessage response = await browser.SendAsync(HttpMethod.Get, "api/history");
        Assert.Equal(HttpStatusCode.OK, response.StatusCode);
        return BitConverter.ToInt32(await response.Content.ReadAsByteArrayAsync());
    }

    // A request of which nobody reads more than that it is answered. One that is refused is none: the last one may not have ended yet.
    private static async Task AskAsync(Uri address, Browser browser, List<Socket> answered)
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { ReceiveBufferSize = WindowBytes };
        await socket.ConnectAsync(IPAddress.Loopback, address.Port);
        string host = address.Authority;
        string head = $"POST /{Command} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nCookie: {browser.Cookie}\r\n";
        string request = $"{head}X-Garnet-Token: {browser.Token}\r\nContent-Length: {Large.Length}\r\n\r\n{Large}";
        await socket.SendAsync(Encoding.ASCII.GetBytes(request));
        byte[] status = new byte["HTTP/1.1 200".Length];
        await using (var stream = new NetworkStream(socket))
            await stream.ReadExactlyAsync(status);
        if (Encoding.ASCII.GetString(status) == "HTTP/1.1 200")
            answered.Add(socket);
        else
            socket.Dispose();
    }
}
