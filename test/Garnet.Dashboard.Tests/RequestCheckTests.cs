// Requests that pages of others make a browser send, and requests from elsewhere.
using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Text;
using Garnet.Testing;
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
    [InlineData("X-Forwarded-Proto", "https")]
    [InlineData("X-Original-For", "10.0.0.7:4711")]
    [InlineData("CF-Connecting-IP", "10.0.0.7")]
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

    // nginx adds no header unless it is told to, and speaks HTTP/1.0 to the server behind it.
    [Fact]
    public async Task Without_a_password_a_proxy_that_hides_itself_is_not_this_machine()
    {
        await using DashboardTestServer server = await DashboardTestServer.StartAsync();
        foreach ((string version, string expected) in new[] { ("1.1", "HTTP/1.1 200 OK"), ("1.0", "HTTP/1.1 403 Forbidden") })
        {
            using var client = new TcpClient();
            await client.ConnectAsync((IPEndPoint)server.Server.DashboardEndPoints[0]);
            await using NetworkStream stream = client.GetStream();
            string request = $"GET / HTTP/{version}\r\nHost: {server.Address.Authority}\r\nConnection: close\r\n\r\n";
            await stream.WriteAsync(Encoding.ASCII.GetBytes(request));
            using var reader = new StreamReader(stream);
            Assert.Equal(expected, await reader.ReadLineAsync());
        }
    }

    [Fact]
    public async Task Behind_a_proxy_that_ends_tls_the_cookie_is_for_https()
    {
        await using DashboardTestServer server = await DashboardTestServer.StartAsync(static o =>
        {
            o.Password = "secret";
            o.DashboardHosts = ["cache.internal"];
        });
        using Browser browser = server.Open();
        browser.Headers["Host"] = "cache.internal";
        browser.Origin = "https://cache.internal";
        using HttpResponseMessage response = await browser.LogInAsync("", "secret");
        Assert.Contains("; secure", response.Headers.GetValues("Set-Cookie").Single());
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

    // Each has the page's host and port somewhere, and is no origin of a page of ours.
    [Theory]
    [InlineData("http://user@{0}")]
    [InlineData("http://user:password@{0}")]
    [InlineData("http://{0}/path")]
    [InlineData("http://{0}?query")]
    [InlineData("http://{0}#fragment")]
    [InlineData("ftp://{0}")]
    [InlineData("http:{0}")]
    [InlineData("http://{0} http://evil.example")]
    [InlineData("http://evil.example http://{0}")]
    [InlineData(" http://{0}:80")]
    public async Task An_origin_is_a_scheme_and_a_host_alone(string origin)
    {
        await using DashboardTestServer server = await DashboardTestServer.StartAsync();
        using Browser browser = server.Open();
        browser.Origin = string.Format(System.Globalization.CultureInfo.InvariantCulture, origin, server.Address.Authority);
        using HttpResponseMessage response = await browser.LogInAsync();
        Assert.Equal(HttpStatusCode.Forbidden, response.StatusCode);
    }

    // A page that came without encryption may have been made by anyone on the way.
    [Theory]
    [InlineData("http", null, null, HttpStatusCode.OK)]
    [InlineData("https", null, null, HttpStatusCode.OK)]
    [InlineData("http", "X-Forwarded-Proto", "https", HttpStatusCode.Forbidden)]
    [InlineData("https", "X-Forwarded-Proto", "https", HttpStatusCode.OK)]
    [InlineData("http", "X-Forwarded-Proto", "http", HttpStatusCode.OK)]
    public async Task A_page_without_encryption_is_not_that_of_an_encrypted_dashboard(
        string scheme,
        string? header,
        string? value,
        HttpStatusCode expected
    )
    {
        await using DashboardTestServer server = await DashboardTestServer.StartAsync(static o =>
            (o.Password, o.DashboardHosts) = ("secret", ["cache.internal"])
        );
        using Browser browser = server.Open();
        (browser.Headers["Host"], browser.Origin) = ("cache.internal", $"{scheme}://cache.internal");
        if (header is not null)
            browser.Headers[header] = value!;
        using HttpResponseMessage response = await browser.LogInAsync("", "secret");
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
    public async Task Members_that_are_no_text_are_as_good_as_absent()
    {
        await using DashboardTestServer server = await DashboardTestServer.StartAsync();
        using Browser browser = await server.OpenAsync();
        foreach (string body in new[] { "{\"\\ud800\":1}", "{\"cursor\":\"\\udfff\"}", "{\"pattern\":\"\\ud800\"}", "{\"db\":1e99}" })
            Assert.Equal(HttpStatusCode.OK, await browser.StatusAsync(HttpMethod.Post, "api/scan", body));
    }

    [Theory]
    [InlineData("Content-Length: 300000", "", 413)]
    [InlineData("Transfer-Encoding: chunked", "zz\r\n", 400)]
    public async Task A_damaged_request_is_the_browsers_fault(string header, string body, int expected)
    {
        await using DashboardTestServer server = await DashboardTestServer.StartAsync(static o => o.Password = "secret");
        using var client = new TcpClient();
        await client.ConnectAsync((IPEndPoint)server.Server.DashboardEndPoints[0]);
        await using NetworkStream stream = client.GetStream();
        string host = server.Address.Authority;
        string request = $"POST /api/login HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\n{header}\r\n\r\n{body}";
        await stream.WriteAsync(Encoding.ASCII.GetBytes(request));
        using var reader = new StreamReader(stream);
        Assert.StartsWith($"HTTP/1.1 {expected} ", await reader.ReadLineAsync());
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
        browser.Origin = $"http://127.0.0.1:{server.Address.Port}";
        using HttpResponseMessage refused = await browser.LogInAsync();
        Assert.Equal(HttpStatusCode.Forbidden, refused.StatusCode);
        using Browser plain = server.Open();
        await Assert.ThrowsAsync<HttpRequestException>(() => plain.GetAsync("api/state"));
    }
}
