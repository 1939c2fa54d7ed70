// Requests that pages of others make a browser send, and requests from elsewhere.
using System.Net;
using System.Net.Security;
using Garnet.Testing;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Xunit;

namespace Garnet.Dashboard.Tests;

public sealed class RequestCheckTests
{
    [Theory]
    [InlineData("localhost", true)]
    [InlineData("127.0.0.1", true)]
    [InlineData("[::1]", true)]
    [InlineData("evil.example", false)]
    [InlineData("localhost.evil.example", false)]
    [InlineData("cache.internal", true)]
    [InlineData("10.0.0.7", true)]
    public async Task A_name_that_is_not_ours_is_refused(string host, bool isAnswered)
    {
        await using DashboardTestServer server = await DashboardTestServer.StartAsync(static o =>
        {
            o.Password = "secret";
            o.DashboardHosts = ["cache.internal"];
        });
        using Browser browser = server.Open();
        browser.Headers["Host"] = host;
        Assert.Equal(isAnswered ? HttpStatusCode.OK : HttpStatusCode.Forbidden, await browser.StatusAsync(HttpMethod.Get, "api/state"));
    }

    [Theory]
    [InlineData("Host", "10.0.0.7")]
    [InlineData("X-Forwarded-For", "10.0.0.7")]
    [InlineData("Forwarded", "for=10.0.0.7")]
    [InlineData("Via", "1.1 proxy")]
    public async Task Without_a_password_only_this_machine_is_answered(string header, string value)
    {
        await using DashboardTestServer server = await DashboardTestServer.StartAsync();
        using Browser browser = server.Open();
        browser.Headers[header] = value;
        using (HttpResponseMessage response = await browser.SendAsync(HttpMethod.Get, ""))
        {
            Assert.Equal(HttpStatusCode.Forbidden, response.StatusCode);
            Assert.Contains("No password is set", await response.Content.ReadAsStringAsync());
        }

        server.Execute("CONFIG", "SET", "requirepass", "secret");
        Assert.Equal(HttpStatusCode.OK, await browser.StatusAsync(HttpMethod.Get, ""));
    }

    [Theory]
    [InlineData(null, null, HttpStatusCode.Forbidden)]
    [InlineData("null", null, HttpStatusCode.Forbidden)]
    [InlineData("http://evil.example", null, HttpStatusCode.Forbidden)]
    [InlineData("http://127.0.0.1:1", null, HttpStatusCode.Forbidden)]
    [InlineData("http://127.0.0.1", null, HttpStatusCode.Forbidden)]
    [InlineData("own", "cross-site", HttpStatusCode.Forbidden)]
    [InlineData("own", "same-site", HttpStatusCode.Forbidden)]
    [InlineData("own", "same-origin", HttpStatusCode.OK)]
    [InlineData("own", null, HttpStatusCode.OK)]
    public async Task Another_page_cannot_log_anybody_in(string? origin, string? site, HttpStatusCode expected)
    {
        await using DashboardTestServer server = await DashboardTestServer.StartAsync();
        using Browser browser = server.Open();
        browser.Origin = origin;
        if (site is not null)
            browser.Headers["Sec-Fetch-Site"] = site;
        using HttpResponseMessage response = await browser.LogInAsync();
        Assert.Equal(expected, response.StatusCode);
    }

    [Fact]
    public async Task A_link_leads_to_the_page_and_to_nothing_else()
    {
        await using DashboardTestServer server = await DashboardTestServer.StartAsync();
        using Browser browser = server.Open();
        browser.Headers["Sec-Fetch-Site"] = "cross-site";
        browser.Headers["Sec-Fetch-Mode"] = "navigate";
        Assert.Equal(HttpStatusCode.OK, await browser.StatusAsync(HttpMethod.Get, ""));
        browser.Headers["Sec-Fetch-Mode"] = "no-cors";
        Assert.Equal(HttpStatusCode.Forbidden, await browser.StatusAsync(HttpMethod.Get, "app.js"));
    }

    [Fact]
    public async Task Every_response_has_the_headers_that_keep_strangers_scripts_out()
    {
        await using DashboardTestServer server = await DashboardTestServer.StartAsync();
        using Browser browser = server.Open();
        foreach (string path in new[] { "", "app.js", "api/state", "api/none", "none" })
        {
            using HttpResponseMessage response = await browser.SendAsync(HttpMethod.Get, path);
            string policy = response.Headers.GetValues("Content-Security-Policy").Single();
            Assert.StartsWith("default-src 'none'; script-src 'self'; style-src 'self';", policy);
            Assert.DoesNotContain("unsafe", policy);
            Assert.Equal("nosniff", response.Headers.GetValues("X-Content-Type-Options").Single());
            Assert.Equal("DENY", response.Headers.GetValues("X-Frame-Options").Single());
            Assert.False(response.Headers.Contains("Access-Control-Allow-Origin"));
        }
    }

    [Fact]
    public async Task What_is_no_object_or_too_large_is_refused()
    {
        await using DashboardTestServer server = await DashboardTestServer.StartAsync(static o => o.Password = "secret");
        using Browser browser = server.Open();
        foreach (string body in new[] { "", "[]", "{", "{\"user\":\"\\ud800\"}", "{\"user\":7}" })
            Assert.Equal(HttpStatusCode.Unauthorized, await browser.StatusAsync(HttpMethod.Post, "api/login", body));
    }

    [Fact]
    public async Task With_a_certificate_the_page_is_served_by_tls()
    {
        using var certificates = new TestCertificates();
        await using DashboardTestServer server = await DashboardTestServer.StartAsync(o =>
        {
            (o.TlsCertFile, o.TlsKeyFile) = (certificates.CertFile, certificates.KeyFile);
            (o.TlsAuthClients, o.TlsCaCertFile) = (ClientCertificates.Yes, certificates.AuthorityFile);
        });
        using var handler = new SocketsHttpHandler
        {
            UseCookies = false,
            SslOptions = new SslClientAuthenticationOptions { RemoteCertificateValidationCallback = static (_, _, _, _) => true },
        };
        using var browser = new Browser(new Uri($"https://127.0.0.1:{server.Address.Port}/"), handler);
        using HttpResponseMessage response = await browser.LogInAsync();
        Assert.Equal(HttpStatusCode.OK, response.StatusCode);
        Assert.Contains("; secure", response.Headers.GetValues("Set-Cookie").Single());
        using Browser plain = server.Open();
        await Assert.ThrowsAsync<HttpRequestException>(() => plain.GetAsync("api/state"));
    }

    [Fact]
    public async Task An_application_serves_a_dashboard_below_a_path()
    {
        await using GarnetServer server = new GarnetServerBuilder().Listen(new IPEndPoint(IPAddress.Loopback, 0)).Build();
        await server.StartAsync();
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        builder.Services.AddSingleton(server);
        await using WebApplication application = builder.Build();
        application.MapGarnetDashboard();
        await application.StartAsync();
        string address = application.Services.GetRequiredService<IServer>().Features.Get<IServerAddressesFeature>()!.Addresses.Single();
        using (var outside = new Browser(new Uri(address + "/")))
        using (HttpResponseMessage moved = await outside.SendAsync(HttpMethod.Get, "garnet"))
            Assert.Equal("/garnet/", moved.Headers.Location!.OriginalString);
        using var browser = new Browser(new Uri(address + "/garnet/"));
        Assert.Equal(HttpStatusCode.OK, await browser.StatusAsync(HttpMethod.Get, ""));
        Assert.Equal(HttpStatusCode.OK, await browser.StatusAsync(HttpMethod.Get, "app.js"));
        using (HttpResponseMessage loggedIn = await browser.LogInAsync())
            Assert.Equal(HttpStatusCode.OK, loggedIn.StatusCode);
        Assert.Equal("default", (await browser.GetAsync("api/state")).GetProperty("user").GetString());
        await application.StopAsync();
        await server.StopAsync();
    }
}
