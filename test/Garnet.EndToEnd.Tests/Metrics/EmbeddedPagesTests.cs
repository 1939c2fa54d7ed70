// A server's pages among an ASP.NET application's own endpoints. The application listens on a port chosen by the system.
using System.Net;
using Garnet.Testing;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Xunit;

namespace Garnet.EndToEnd.Tests.Metrics;

public sealed class EmbeddedPagesTests
{
    [Fact]
    public async Task An_application_serves_a_servers_metrics_and_health()
    {
        await using GarnetServer server = new GarnetServerBuilder().Listen(new IPEndPoint(IPAddress.Loopback, 0)).Build();
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        builder.Services.AddSingleton(server);
        await using GarnetServer named = new GarnetServerBuilder().Listen(new IPEndPoint(IPAddress.Loopback, 0)).Build();
        builder.Services.AddKeyedSingleton("sessions", named);
        await using WebApplication application = builder.Build();
        application.MapGet("/own", () => "mine");
        application.MapGarnetMetrics();
        application.MapGarnetHealth();
        application.MapGarnetMetrics("/second", server);
        application.MapGarnetMetrics("/sessions/metrics", serverName: "sessions");
        application.MapGarnetHealth("/sessions", serverName: "sessions");
        Assert.Throws<ArgumentException>(() => application.MapGarnetMetrics("/both", server, "sessions"));
        Assert.Throws<InvalidOperationException>(() => application.MapGarnetHealth("/none", serverName: "unknown"));
        await application.StartAsync();
        string address = application.Services.GetRequiredService<IServer>().Features.Get<IServerAddressesFeature>()!.Addresses.Single();
        using var http = new HttpClient { BaseAddress = new Uri(address), Timeout = TimeSpan.FromSeconds(30) };
        using (HttpResponseMessage early = await http.GetAsync("/healthz/ready"))
            Assert.Equal(HttpStatusCode.ServiceUnavailable, early.StatusCode);
        await server.StartAsync();
        Assert.Equal("ready\n", await http.GetStringAsync("/healthz/ready"));
        Assert.Equal("alive\n", await http.GetStringAsync("/healthz/live"));
        Assert.Equal("mine", await http.GetStringAsync("/own"));
        Assert.Equal(0, PrometheusPage.Parse(await http.GetStringAsync("/metrics"))["garnet_connections"]);
        Assert.Equal(0, PrometheusPage.Parse(await http.GetStringAsync("/second"))["garnet_connections"]);
        // The other one has not been started.
        using (HttpResponseMessage other = await http.GetAsync("/sessions/ready"))
            Assert.Equal(HttpStatusCode.ServiceUnavailable, other.StatusCode);
        await named.StartAsync();
        Assert.Equal("ready\n", await http.GetStringAsync("/sessions/ready"));
        using (var client = RespExchange.Connect(named.EndPoints[0]))
        {
            Assert.Equal("+PONG\r\n", client.ExecuteText("PING"));
            Assert.Equal(1, PrometheusPage.Parse(await http.GetStringAsync("/sessions/metrics"))["garnet_connections"]);
            Assert.Equal(0, PrometheusPage.Parse(await http.GetStringAsync("/metrics"))["garnet_connections"]);
        }

        using var timeout = new CancellationTokenSource(TimeSpan.FromMinutes(2));
        await application.StopAsync(timeout.Token);
        await server.StopAsync(timeout.Token);
        await named.StopAsync(timeout.Token);
    }
}
