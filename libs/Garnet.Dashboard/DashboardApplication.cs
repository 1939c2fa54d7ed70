// Answers the requests of a dashboard, on any Kestrel server. Any thread.
using Garnet.Client;
using Garnet.Dashboard.Http;
using Garnet.Dashboard.Login;
using Microsoft.AspNetCore.Http;

namespace Garnet.Dashboard;

/// <summary>
/// One server's dashboard: the page, and what the page asks for. Everything but the page itself and the login needs a session.
/// </summary>
internal sealed class DashboardApplication : IAsyncDisposable
{
    private readonly IDashboardServer _server;
    private readonly DashboardSettings _settings;
    private readonly DashboardSessions _sessions;
    private readonly LoginPage _login;

    /// <summary>Makes the dashboard.</summary>
    public DashboardApplication(IDashboardServer server, DashboardSettings settings, TimeProvider time)
    {
        _server = server;
        _settings = settings;
        _sessions = new DashboardSessions(server, time);
        _login = new LoginPage(server, settings, _sessions, time);
    }

    /// <summary>Who is logged in.</summary>
    internal DashboardSessions Sessions => _sessions;

    /// <summary>Answers a request.</summary>
    /// <param name="context">The request.</param>
    /// <param name="path">Its path below the dashboard's, without a slash at the beginning.</param>
    public async Task AnswerAsync(HttpContext context, string path)
    {
        ResponseHeaders.Set(context.Response);
        if (RequestCheck.Refusal(context, _settings, _server.RequiresLogin) is { } refusal)
        {
            await Answer.TextAsync(context, StatusCodes.Status403Forbidden, refusal).ConfigureAwait(false);
            return;
        }

        try
        {
            await RouteAsync(context, path).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (context.RequestAborted.IsCancellationRequested)
        {
            // The browser has gone.
        }
        catch (OperationCanceledException) when (!context.Response.HasStarted)
        {
            await Answer.ErrorAsync(context, StatusCodes.Status504GatewayTimeout, "The server did not answer in time.").ConfigureAwait(false);
        }
        catch (RespProtocolException) when (!context.Response.HasStarted)
        {
            await Answer
                .ErrorAsync(context, StatusCodes.Status502BadGateway, "The reply is larger than the dashboard shows.")
                .ConfigureAwait(false);
        }
        catch (IOException) when (!context.Response.HasStarted)
        {
            await Answer
                .ErrorAsync(context, StatusCodes.Status503ServiceUnavailable, "The server has closed the connection.")
                .ConfigureAwait(false);
        }
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync() => await _sessions.DisposeAsync().ConfigureAwait(false);

    private Task RouteAsync(HttpContext context, string path)
    {
        string method = context.Request.Method;
        bool isRead = HttpMethods.IsGet(method) || HttpMethods.IsHead(method);
        if (isRead && PageFiles.TryServe(context, path.Length == 0 ? "index.html" : path, out Task served))
            return served;
        if (isRead && path == "api/state")
            return _login.WriteStateAsync(context);
        if (HttpMethods.IsPost(method) && path == "api/login")
            return _login.LogInAsync(context);
        if (!path.StartsWith("api/", StringComparison.Ordinal))
            return Answer.TextAsync(context, StatusCodes.Status404NotFound, "There is no such page.");
        return _login.SessionOf(context) is { } session
            ? RouteAsync(context, session, method, path)
            : Answer.ErrorAsync(context, StatusCodes.Status401Unauthorized, "Log in first.");
    }

    private Task RouteAsync(HttpContext context, DashboardSession session, string method, string path) =>
        (method, path) switch
        {
            ("POST", "api/logout") => _login.LogOutAsync(context, session),
            _ => Answer.ErrorAsync(context, StatusCodes.Status404NotFound, "There is no such request."),
        };
}
