// Dashboards among the routes of an application. Each test starts an application and its servers.
using System.Net;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.AspNetCore.HttpOverrides;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Xunit;

namespace Garnet.Dashboard.Tests;

public sealed class EmbeddedTests
{
    [Fact]
    public async Task An_application_serves_a_dashboard_below_a_path()
    {
        await using GarnetServer server = await StartServerAsync();
        await using WebApplication application = NewApplication();
        application.MapGarnetDashboard(server: server);
        await application.StartAsync();
        using (Browser outside = Open(application, "/"))
        using (HttpResponseMessage moved = await outside.SendAsync(HttpMethod.Get, "garnet"))
            Assert.Equal("/garnet/", moved.Headers.Location!.OriginalString);
        using Browser browser = Open(application, "/garnet/");
        Assert.Equal(HttpStatusCode.OK, await browser.StatusAsync(HttpMethod.Get, ""));
        Assert.Equal(HttpStatusCode.OK, await browser.StatusAsync(HttpMethod.Get, "app.js"));
        using (HttpResponseMessage loggedIn = await browser.LogInAsync())
            Assert.Contains("; path=/garnet/;", loggedIn.Headers.GetValues("Set-Cookie").Single());
        Assert.Equal("default", (await browser.GetAsync("api/state")).GetProperty("user").GetString());
        await application.StopAsync();
        await server.StopAsync();
    }

    // An application that believes X-Forwarded-For of anybody: the address is then what the client says.
    [Fact]
    public async Task Without_a_password_an_address_that_a_client_has_named_is_not_this_machine()
    {
        await using GarnetServer server = await StartServerAsync();
        await using WebApplication application = NewApplication();
        var believing = new ForwardedHeadersOptions { ForwardedHeaders = ForwardedHeaders.XForwardedFor };
        believing.KnownProxies.Clear();
        believing.KnownIPNetworks.Clear();
        application.UseForwardedHeaders(believing);
        application.MapGarnetDashboard(server: server);
        await application.StartAsync();
        using Browser browser = Open(application, "/garnet/");
        Assert.Equal(HttpStatusCode.OK, await browser.StatusAsync(HttpMethod.Get, "api/state"));
        browser.Headers["X-Forwarded-For"] = "127.0.0.1";
        Assert.Equal(HttpStatusCode.Forbidden, await browser.StatusAsync(HttpMethod.Get, "api/state"));
        await application.StopAsync();
        await server.StopAsync();
    }

    [Fact]
    public async Task Before_its_server_starts_and_after_it_stops_a_dashboard_says_so()
    {
        await using GarnetServer server = new GarnetServerBuilder().Listen(new IPEndPoint(IPAddress.Loopback, 0)).Build();
        await using WebApplication application = NewApplication();
        application.MapGarnetDashboard(server: server);
        await application.StartAsync();
        using Browser browser = Open(application, "/garnet/");
        using (HttpResponseMessage early = await browser.LogInAsync())
            Assert.Equal(HttpStatusCode.OK, early.StatusCode);
        Assert.Equal(HttpStatusCode.ServiceUnavailable, await browser.StatusAsync(HttpMethod.Get, "api/panels/clients"));
        await server.StartAsync();
        Assert.Equal(HttpStatusCode.OK, await browser.StatusAsync(HttpMethod.Get, "api/panels/clients"));
        await server.StopAsync();
        Assert.Equal(HttpStatusCode.ServiceUnavailable, await browser.StatusAsync(HttpMethod.Get, "api/panels/clients"));
        await application.StopAsync();
    }

    private static async Task<GarnetServer> StartServerAsync()
    {
        GarnetServer server = new GarnetServerBuilder().Listen(new IPEndPoint(IPAddress.Loopback, 0)).Build();
        await server.StartAsync();
        return server;
    }

    private static WebApplication NewApplication()
    {
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        return builder.Build();
    }

    private static Browser Open(WebApplication application, string path)
    {
        IServer server = application.Services.GetRequiredService<IServer>();
        return new Browser(new Uri(server.Features.Get<IServerAddressesFeature>()!.Addresses.Single() + path));
    }
}
