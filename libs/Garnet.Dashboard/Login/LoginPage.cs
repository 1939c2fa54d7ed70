// Logs users in and out. Any thread.
using System.Globalization;
using System.Net;
using System.Text;
using Garnet.Client;
using Garnet.Dashboard.Http;
using Microsoft.AspNetCore.Http;

namespace Garnet.Dashboard.Login;

/// <summary>
/// The proof is AUTH on a connection of its own, so that failures are counted and logged where those of other clients are.
/// </summary>
internal sealed class LoginPage(IDashboardServer server, DashboardSettings settings, DashboardSessions sessions, TimeProvider time)
{
    /// <summary>The header with the page's secret.</summary>
    public const string TokenHeader = "X-Garnet-Token";

    private const string DefaultUser = "default";
    private const int MaxNameBytes = 1024;

    // Of anyone who reaches the port.
    private const int MaxLoginBytes = 16 * 1024;

    private readonly LoginThrottle _throttle = new(time);

    /// <summary>The session of a request; null when it has none.</summary>
    public DashboardSession? SessionOf(HttpContext context) =>
        sessions.TryFind(
            context.Request.Cookies[CookieName(context)],
            context.Request.Headers[TokenHeader].ToString(),
            out DashboardSession? session
        )
            ? session
            : null;

    /// <summary>What the page has to know before anybody is logged in.</summary>
    public Task WriteStateAsync(HttpContext context) =>
        Answer.JsonAsync(
            context,
            json =>
            {
                DashboardSession? session = SessionOf(context);
                json.WriteBoolean("requiresLogin", server.RequiresLogin);
                if (session is null)
                    return;
                json.WriteString("user", session.User);
                json.WriteBoolean("writes", settings.AllowsWrites);
                json.WriteString("version", server.Version);
            }
        );

    /// <summary>Begins a session.</summary>
    public async Task LogInAsync(HttpContext context)
    {
        if (!_throttle.TryBegin(AddressOf(context), out TimeSpan wait))
        {
            int seconds = (int)Math.Ceiling(wait.TotalSeconds);
            context.Response.Headers.RetryAfter = seconds.ToString(CultureInfo.InvariantCulture);
            await Answer
                .ErrorAsync(context, StatusCodes.Status429TooManyRequests, $"Too many attempts. Try again in {seconds} s.")
                .ConfigureAwait(false);
            return;
        }

        using RequestBody? body = await RequestBody.ReadAsync(context, MaxLoginBytes).ConfigureAwait(false);
        string user = body?.Text("user") is { Length: > 0 } named ? named : DefaultUser;
        string password = body?.Text("password") ?? "";
        string? loginState = server.LoginState(user);
        string? problem = await ProblemOfAsync(PeerOf(context), user, password, context.RequestAborted).ConfigureAwait(false);
        if (problem is null && loginState is not null && sessions.Begin(user, loginState, PeerOf(context)) is var (session, cookie, token))
        {
            _throttle.Succeeded(AddressOf(context));
            SetCookie(context, cookie, DashboardSessions.MaxAge);
            await WriteLoggedInAsync(context, session, token).ConfigureAwait(false);
            return;
        }

        await Answer.ErrorAsync(context, StatusCodes.Status401Unauthorized, problem ?? "The user may not log in.").ConfigureAwait(false);
    }

    /// <summary>Ends a session.</summary>
    public Task LogOutAsync(HttpContext context, DashboardSession session)
    {
        sessions.Remove(session);
        SetCookie(context, "", TimeSpan.Zero);
        return Answer.JsonAsync(context, static _ => { });
    }

    private Task WriteLoggedInAsync(HttpContext context, DashboardSession session, string token) =>
        Answer.JsonAsync(
            context,
            json =>
            {
                json.WriteString("token", token);
                json.WriteString("user", session.User);
                json.WriteBoolean("writes", settings.AllowsWrites);
                json.WriteString("version", server.Version);
            }
        );

    // The server's own words, which tell a wrong password from too many clients.
    private async Task<string?> ProblemOfAsync(EndPoint peer, string user, string password, CancellationToken cancellationToken)
    {
        if (Encoding.UTF8.GetByteCount(user) > MaxNameBytes)
            return "The name is too long.";
        using var patience = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        patience.CancelAfter(UserConnection.Patience);
        try
        {
            var client = new RespClient(server.Connect(peer, user: null));
            await using (client.ConfigureAwait(false))
            {
                string[] auth = ["AUTH", user, password];
                RespValue reply = await client.TryCallAsync(auth, patience.Token).ConfigureAwait(false);
                return reply.ErrorMessage;
            }
        }
        catch (Exception e) when (e is IOException or RespProtocolException)
        {
            return "The server takes no connections now.";
        }
    }

    private static IPAddress AddressOf(HttpContext context) => context.Connection.RemoteIpAddress ?? IPAddress.None;

    private static IPEndPoint PeerOf(HttpContext context) => new(AddressOf(context), context.Connection.RemotePort);

    private static void SetCookie(HttpContext context, string value, TimeSpan age) =>
        context.Response.Cookies.Append(
            CookieName(context),
            value,
            new CookieOptions
            {
                HttpOnly = true,
                SameSite = SameSiteMode.Strict,
                Secure = context.Request.IsHttps || IsHttpsToBrowser(context.Request),
                MaxAge = age,
                Path = PathOf(context.Request),
                IsEssential = true,
            }
        );

    // A proxy may have ended TLS; the origin of the page is what the browser says.
    private static bool IsHttpsToBrowser(HttpRequest request) =>
        request.Headers.Origin.ToString().StartsWith("https://", StringComparison.OrdinalIgnoreCase);

    // The page's folder, as an application may have several dashboards.
    private static string PathOf(HttpRequest request)
    {
        string path = request.PathBase.Add(request.Path).ToUriComponent();
        return path[..(path.LastIndexOf("/api/", StringComparison.Ordinal) + 1)];
    }

    // Cookies know no ports: two servers of one host would take each other's place.
    private static string CookieName(HttpContext context) =>
        string.Create(CultureInfo.InvariantCulture, $"garnet-dashboard-{context.Request.Host.Port ?? 0}");
}
