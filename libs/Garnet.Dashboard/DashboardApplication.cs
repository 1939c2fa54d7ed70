// Answers the requests of a dashboard, on any Kestrel server. Any thread.
using Garnet.Client;
using Garnet.Dashboard.Console;
using Garnet.Dashboard.Events;
using Garnet.Dashboard.Figures;
using Garnet.Dashboard.Http;
using Garnet.Dashboard.Keys;
using Garnet.Dashboard.Login;
using Garnet.Dashboard.Panels;
using Microsoft.AspNetCore.Http;

namespace Garnet.Dashboard;

/// <summary>
/// One server's dashboard: the page, and what the page asks for. Everything but the page itself and the login needs a session.
/// </summary>
internal sealed class DashboardApplication : IAsyncDisposable
{
    private const string Panel = "api/panels/";
    private const long MiB = 1 << 20;

    // The largest reply, with what becomes of it, takes about 40 MiB.
    private const long MaxBytes = 192 * MiB;
    private const long MaxSessionBytes = 48 * MiB;

    private readonly IDashboardServer _server;
    private readonly DashboardSettings _settings;
    private readonly DashboardSessions _sessions;
    private readonly LoginPage _login;
    private readonly EventFeed _feed;
    private readonly Tables _tables;
    private readonly CommandConsole _console;
    private readonly TimeProvider _time;
    private volatile bool _isClosed;

    /// <summary>Makes the dashboard.</summary>
    /// <param name="server">The server that it shows.</param>
    /// <param name="settings">How it is served.</param>
    /// <param name="feed">The server's figures; of all dashboards of the server.</param>
    /// <param name="time">The clock.</param>
    public DashboardApplication(IDashboardServer server, DashboardSettings settings, EventFeed feed, TimeProvider time)
    {
        _server = server;
        _settings = settings;
        _feed = feed;
        _time = time;
        _sessions = new DashboardSessions(server, time);
        _login = new LoginPage(server, settings, _sessions, time);
        _tables = new Tables(server, time);
        _console = new CommandConsole(server, settings);
        feed.Watch(_sessions);
    }

    /// <summary>What the requests hold that are being answered.</summary>
    internal MemoryBudget Memory { get; } = new(MaxBytes, MaxSessionBytes);

    /// <summary>Answers a request.</summary>
    /// <param name="context">The request.</param>
    /// <param name="path">Its path below the dashboard's, without a slash at the beginning.</param>
    public async Task AnswerAsync(HttpContext context, string path)
    {
        using var memory = RequestMemory.Begin(Memory, context, _time);
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
        catch (Exception e) when (e is OperationCanceledException or OutOfMemoryShareException && memory.IsOver)
        {
            // The browser has gone, or others need what the request holds.
        }
        catch (OutOfMemoryShareException) when (!context.Response.HasStarted)
        {
            await Answer
                .ErrorAsync(context, StatusCodes.Status503ServiceUnavailable, "Too many bytes of other requests wait to be read.")
                .ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (!context.Response.HasStarted)
        {
            await Answer
                .ErrorAsync(context, StatusCodes.Status504GatewayTimeout, "The server did not answer in time.")
                .ConfigureAwait(false);
        }
        catch (RespProtocolException) when (!context.Response.HasStarted)
        {
            await Answer
                .ErrorAsync(context, StatusCodes.Status502BadGateway, "The reply is larger than the dashboard shows.")
                .ConfigureAwait(false);
        }
        catch (BadHttpRequestException e) when (!context.Response.HasStarted)
        {
            await Answer.ErrorAsync(context, e.StatusCode, "The request is damaged, or larger than any of a page.").ConfigureAwait(false);
        }
        catch (IOException) when (!context.Response.HasStarted)
        {
            await Answer
                .ErrorAsync(context, StatusCodes.Status503ServiceUnavailable, "The server has closed the connection.")
                .ConfigureAwait(false);
        }
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        _isClosed = true;
        await _sessions.DisposeAsync().ConfigureAwait(false);
    }

    private Task RouteAsync(HttpContext context, string path)
    {
        string method = context.Request.Method;
        bool isRead = HttpMethods.IsGet(method) || HttpMethods.IsHead(method);
        if (isRead && PageFiles.TryServe(context, path.Length == 0 ? "index.html" : path, out Task served))
            return served;
        // A page that hears this keeps its session; that there is no such session says less.
        if (_isClosed)
            return Answer.ErrorAsync(context, StatusCodes.Status503ServiceUnavailable, "The server stops.");
        if (isRead && path == "api/state")
            return _login.WriteStateAsync(context);
        if (HttpMethods.IsPost(method) && path == "api/login")
            return _login.LogInAsync(context);
        if (!path.StartsWith("api/", StringComparison.Ordinal))
            return Answer.TextAsync(context, StatusCodes.Status404NotFound, "There is no such page.");
        return _login.SessionOf(context) is { } session
            ? AnswerAsync(context, session, method, path)
            : Answer.ErrorAsync(context, StatusCodes.Status401Unauthorized, "Log in first.");
    }

    // Streams of events are counted by themselves.
    private async Task AnswerAsync(HttpContext context, DashboardSession session, string method, string path)
    {
        RequestMemory.Of(context).Session = session;
        bool isCounted = path != "api/events";
        if (isCounted && !session.TryBeginRequest())
        {
            await Answer
                .ErrorAsync(context, StatusCodes.Status429TooManyRequests, "Too many requests of this session wait for their answers.")
                .ConfigureAwait(false);
            return;
        }

        try
        {
            await RouteAsync(context, session, method, path).ConfigureAwait(false);
        }
        finally
        {
            if (isCounted)
                session.EndRequest();
        }
    }

    private Task RouteAsync(HttpContext context, DashboardSession session, string method, string path) =>
        (method, path) switch
        {
            ("POST", "api/logout") => _login.LogOutAsync(context, session),
            ("POST", "api/scan") => KeyBrowser.ScanAsync(context, session),
            ("POST", "api/sample") => KeySampler.AnswerAsync(context, session, _server),
            ("POST", "api/key") => KeyBrowser.DescribeAsync(context, session),
            ("POST", "api/value") => KeyBrowser.ReadAsync(context, session),
            ("POST", "api/command") => _console.RunAsync(context, session),
            ("GET", "api/events") => _feed.AnswerAsync(context, session),
            ("GET", "api/history") => _feed.WriteHistoryAsync(context, session),
            ("GET", "api/columns") => WriteColumnsAsync(context),
            ("GET", _) when path.StartsWith(Panel, StringComparison.Ordinal) => _tables.AnswerAsync(context, session, path[Panel.Length..]),
            _ => Answer.ErrorAsync(context, StatusCodes.Status404NotFound, "There is no such request."),
        };

    private static Task WriteColumnsAsync(HttpContext context) =>
        Answer.JsonAsync(
            context,
            static json =>
            {
                json.WriteStartArray("columns");
                foreach (string name in FigureList.Names)
                    json.WriteStringValue(name);
                json.WriteEndArray();
            }
        );
}
