// Who gets in, and for how long. Each test starts a server of its own; time is virtual where it matters.
using System.Net;
using System.Text.Json;
using Garnet.Client;
using Garnet.Dashboard.Figures;
using Garnet.Dashboard.Login;
using Garnet.Testing;
using Xunit;

namespace Garnet.Dashboard.Tests;

public sealed class LoginTests
{
    [Fact]
    public async Task Without_a_password_the_default_user_logs_in_by_a_click()
    {
        await using DashboardTestServer server = await DashboardTestServer.StartAsync();
        using Browser browser = server.Open();
        Assert.False((await browser.GetAsync("api/state")).GetProperty("requiresLogin").GetBoolean());
        using HttpResponseMessage response = await browser.LogInAsync();
        Assert.Equal(HttpStatusCode.OK, response.StatusCode);
        Assert.Equal("default", (await browser.GetAsync("api/state")).GetProperty("user").GetString());
    }

    [Fact]
    public async Task A_cookie_is_out_of_reach_of_scripts_and_other_sites()
    {
        await using DashboardTestServer server = await DashboardTestServer.StartAsync();
        using Browser browser = server.Open();
        using HttpResponseMessage response = await browser.LogInAsync();
        string cookie = response.Headers.GetValues("Set-Cookie").Single();
        Assert.StartsWith($"garnet-dashboard-{server.Address.Port}=", cookie);
        Assert.Contains("; samesite=strict", cookie);
        Assert.Contains("; httponly", cookie);
        Assert.Contains("; path=/", cookie);
    }

    [Fact]
    public async Task A_user_logs_in_with_its_password_alone()
    {
        await using DashboardTestServer server = await DashboardTestServer.StartAsync(static o => o.Password = "secret");
        server.Execute("ACL", "SETUSER", "ann", "on", ">right", "+info");
        server.Execute("ACL", "SETUSER", "off", "off", ">right", "+info");
        using Browser browser = server.Open();
        foreach ((string user, string password) in new[] { ("ann", "wrong"), ("off", "right"), ("none", "right"), ("", "") })
        {
            using HttpResponseMessage refused = await browser.LogInAsync(user, password);
            Assert.Equal(HttpStatusCode.Unauthorized, refused.StatusCode);
            Assert.False(refused.Headers.Contains("Set-Cookie"));
        }

        using HttpResponseMessage response = await browser.LogInAsync("ann", "right");
        Assert.Equal(HttpStatusCode.OK, response.StatusCode);
        // Failures are where those of other clients are, with the browser's address.
        string log = server.Server.InProcess.Execute("ACL", "LOG").ToString();
        Assert.Contains("\"ann\"", log);
        Assert.Contains("127.0.0.1", log);
    }

    [Fact]
    public async Task Neither_secret_is_worth_anything_alone()
    {
        await using DashboardTestServer server = await DashboardTestServer.StartAsync();
        using Browser browser = await server.OpenAsync();
        (string? cookie, string? token) = (browser.Cookie, browser.Token);
        Assert.Equal(HttpStatusCode.OK, await browser.StatusAsync(HttpMethod.Post, "api/logout", "{}"));
        Assert.Equal(HttpStatusCode.Unauthorized, await browser.StatusAsync(HttpMethod.Post, "api/logout", "{}"));
        using Browser other = await server.OpenAsync();
        (browser.Cookie, browser.Token) = (other.Cookie, null);
        Assert.Equal(HttpStatusCode.Unauthorized, await browser.StatusAsync(HttpMethod.Post, "api/logout", "{}"));
        (browser.Cookie, browser.Token) = (null, other.Token);
        Assert.Equal(HttpStatusCode.Unauthorized, await browser.StatusAsync(HttpMethod.Post, "api/logout", "{}"));
        (browser.Cookie, browser.Token) = (other.Cookie, token);
        Assert.Equal(HttpStatusCode.Unauthorized, await browser.StatusAsync(HttpMethod.Post, "api/logout", "{}"));
        (browser.Cookie, browser.Token) = (cookie, token);
        Assert.Equal(HttpStatusCode.Unauthorized, await browser.StatusAsync(HttpMethod.Post, "api/logout", "{}"));
        Assert.Equal(HttpStatusCode.OK, await other.StatusAsync(HttpMethod.Post, "api/logout", "{}"));
    }

    [Theory]
    [InlineData("DEL")]
    [InlineData("off")]
    [InlineData(">another")]
    [InlineData("resetpass")]
    public async Task A_session_ends_when_its_user_may_no_longer_log_in_as_it_did(string change)
    {
        await using DashboardTestServer server = await DashboardTestServer.StartAsync(static o => o.Password = "secret");
        server.Execute("ACL", "SETUSER", "ann", "on", ">right", "+info");
        using Browser browser = await server.OpenAsync("ann", "right");
        Assert.Equal("ann", (await browser.GetAsync("api/state")).GetProperty("user").GetString());
        if (change == "DEL")
            server.Execute("ACL", "DELUSER", "ann");
        else
            server.Execute("ACL", "SETUSER", "ann", change);
        Assert.False((await browser.GetAsync("api/state")).TryGetProperty("user", out JsonElement _));
    }

    // At once, as a script does that sets users up again: the new one has the old one's name and password, and nothing else of it.
    [Fact]
    public async Task A_session_does_not_pass_to_a_new_user_of_the_same_name()
    {
        await using DashboardTestServer server = await DashboardTestServer.StartAsync(static o => o.Password = "secret");
        server.Execute("ACL", "SETUSER", "ann", "on", ">right", "+info");
        using Browser browser = await server.OpenAsync("ann", "right");
        server.Execute("ACL", "DELUSER", "ann");
        server.Execute("ACL", "SETUSER", "ann", "on", ">right", "+@all", "~*");
        Assert.False((await browser.GetAsync("api/state")).TryGetProperty("user", out JsonElement _));
        using Browser another = await server.OpenAsync("ann", "right");
        server.Execute("ACL", "SETUSER", "ann", "-@dangerous");
        Assert.Equal("ann", (await another.GetAsync("api/state")).GetProperty("user").GetString());
    }

    [Fact]
    public async Task A_session_ends_half_an_hour_after_its_last_use_and_after_a_day()
    {
        var time = new ManualTimeProvider();
        await using var sessions = new DashboardSessions(new LoginServer(), time);
        var peer = new IPEndPoint(IPAddress.Loopback, 1);
        (DashboardSession _, string cookie, string token) = sessions.Begin("ann", "state", peer)!.Value;
        for (int i = 0; i < 49; i++)
        {
            time.Advance(TimeSpan.FromMinutes(29));
            Assert.True(sessions.TryFind(cookie, token, out DashboardSession? _));
        }

        time.Advance(TimeSpan.FromMinutes(29));
        Assert.False(sessions.TryFind(cookie, token, out DashboardSession? _));
        (DashboardSession idle, cookie, token) = sessions.Begin("ann", "state", peer)!.Value;
        time.Advance(TimeSpan.FromMinutes(31));
        Assert.True(idle.TryBeginStream());
        sessions.EndOver();
        Assert.False(idle.Ended.IsCancellationRequested);
        idle.EndStream();
        sessions.EndOver();
        Assert.True(idle.Ended.IsCancellationRequested);
        Assert.Equal(0, sessions.Count);
    }

    [Fact]
    public async Task Guesses_wait_longer_each_time()
    {
        var time = new ManualTimeProvider();
        await using DashboardTestServer server = await DashboardTestServer.StartAsync(static o => o.Password = "secret", time);
        using Browser browser = server.Open();
        for (int i = 0; i < 5; i++)
        {
            using HttpResponseMessage wrong = await browser.LogInAsync("default", "guess");
            Assert.Equal(HttpStatusCode.Unauthorized, wrong.StatusCode);
        }

        // The right one has to wait, too, or the answer would tell which one it is.
        using (HttpResponseMessage early = await browser.LogInAsync("default", "secret"))
        {
            Assert.Equal(HttpStatusCode.TooManyRequests, early.StatusCode);
            Assert.Equal(TimeSpan.FromSeconds(1), early.Headers.RetryAfter!.Delta);
        }

        time.Advance(TimeSpan.FromSeconds(1));
        using (HttpResponseMessage wrong = await browser.LogInAsync("default", "guess"))
            Assert.Equal(HttpStatusCode.Unauthorized, wrong.StatusCode);
        using (HttpResponseMessage early = await browser.LogInAsync("default", "secret"))
            Assert.Equal(TimeSpan.FromSeconds(2), early.Headers.RetryAfter!.Delta);
        time.Advance(TimeSpan.FromSeconds(2));
        using HttpResponseMessage right = await browser.LogInAsync("default", "secret");
        Assert.Equal(HttpStatusCode.OK, right.StatusCode);
    }

    [Fact]
    public async Task The_oldest_session_makes_place_for_the_257th()
    {
        await using DashboardTestServer server = await DashboardTestServer.StartAsync();
        using Browser first = await server.OpenAsync();
        for (int i = 0; i < 256; i++)
            (await server.OpenAsync()).Dispose();
        Assert.False((await first.GetAsync("api/state")).TryGetProperty("user", out JsonElement _));
    }

    [Fact]
    public async Task A_user_that_logs_in_often_ends_no_session_of_another()
    {
        await using var sessions = new DashboardSessions(new LoginServer(), new ManualTimeProvider());
        var peer = new IPEndPoint(IPAddress.Loopback, 1);
        (DashboardSession _, string cookie, string token) = sessions.Begin("ann", "state", peer)!.Value;
        for (int i = 0; i < 600; i++)
            Assert.True(sessions.Begin("bob", "state", peer)!.Value.Session.TryBeginStream());
        Assert.Equal(256, sessions.Count);
        Assert.True(sessions.TryFind(cookie, token, out DashboardSession? _));
    }

    [Fact]
    public void A_clock_that_is_set_back_keeps_nobody_out()
    {
        var time = new SetTimeProvider(new DateTimeOffset(2030, 1, 1, 12, 0, 0, TimeSpan.Zero));
        var throttle = new LoginThrottle(time);
        for (int i = 0; i < 5; i++)
            Assert.True(throttle.TryBegin(IPAddress.Loopback, out TimeSpan _));
        time.Now -= TimeSpan.FromHours(1);
        Assert.False(throttle.TryBegin(IPAddress.Loopback, out TimeSpan wait));
        Assert.Equal(TimeSpan.FromSeconds(1), wait);
        time.Elapsed += TimeSpan.FromSeconds(1);
        Assert.True(throttle.TryBegin(IPAddress.Loopback, out TimeSpan _));
    }

    // A machine has all addresses of a network of 64 bits.
    [Theory]
    [InlineData("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", false)]
    [InlineData("fe80::1%2", "fe80::2%3", false)]
    [InlineData("2001:db8:1:2::1", "2001:db8:1:3::1", true)]
    [InlineData("::ffff:10.0.0.1", "10.0.0.1", false)]
    [InlineData("::ffff:10.0.0.1", "::ffff:10.0.0.2", true)]
    public void Addresses_of_one_network_share_their_attempts(string one, string other, bool mayTry)
    {
        var throttle = new LoginThrottle(new ManualTimeProvider());
        for (int i = 0; i < 5; i++)
            Assert.True(throttle.TryBegin(IPAddress.Parse(one), out TimeSpan _));
        Assert.Equal(mayTry, throttle.TryBegin(IPAddress.Parse(other), out TimeSpan _));
    }

    // Of 48 bits of addresses there are 65,536 networks of 64 bits, more than are remembered.
    [Fact]
    public void A_site_with_many_networks_makes_the_throttle_forget_none_of_another()
    {
        var throttle = new LoginThrottle(new ManualTimeProvider());
        string[] others = ["10.0.0.1", "2001:db8:2::1", "192.168.7.7"];
        foreach (string other in others)
        {
            for (int i = 0; i < 5; i++)
                Assert.True(throttle.TryBegin(IPAddress.Parse(other), out TimeSpan _));
        }

        for (int network = 0; network < 10_000; network++)
            Assert.True(throttle.TryBegin(IPAddress.Parse($"2001:db8:1:{network:x}::1"), out TimeSpan _));
        Assert.All(others, other => Assert.False(throttle.TryBegin(IPAddress.Parse(other), out TimeSpan _)));
    }

    [Fact]
    public async Task A_login_is_short()
    {
        await using DashboardTestServer server = await DashboardTestServer.StartAsync(static o => o.Password = "secret");
        using Browser browser = server.Open();
        using HttpResponseMessage refused = await browser.LogInAsync("default", new string('x', 20_000));
        Assert.Equal(HttpStatusCode.Unauthorized, refused.StatusCode);
        using HttpResponseMessage right = await browser.LogInAsync("default", "secret");
        Assert.Equal(HttpStatusCode.OK, right.StatusCode);
    }

    // A clock that is set, beside one that is not.
    private sealed class SetTimeProvider(DateTimeOffset now) : TimeProvider
    {
        public DateTimeOffset Now { get; set; } = now;

        public TimeSpan Elapsed { get; set; }

        public override long TimestampFrequency => TimeSpan.TicksPerSecond;

        public override DateTimeOffset GetUtcNow() => Now;

        public override long GetTimestamp() => Elapsed.Ticks;
    }

    // Knows a user, and runs nothing.
    private sealed class LoginServer : IDashboardServer
    {
        public bool RequiresLogin => true;

        public string Version => "0";

        public IReadOnlyList<string> LogLines => [];

        public string? LoginState(string user) => "state";

        public OwnCalls OwnCalls { get; } = new();

        public ValueTask<RespValue> CallAsync(ReadOnlyMemory<byte>[] arguments, CancellationToken cancellationToken) =>
            throw new NotSupportedException();

        public Stream Connect(EndPoint peer, string? user) => throw new NotSupportedException();
    }
}
