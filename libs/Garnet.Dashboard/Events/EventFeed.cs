// Sends the figures to all open pages, from one timer. Any thread; one look at a time.
using System.Buffers;
using System.Text.Json;
using Garnet.Dashboard.Figures;
using Garnet.Dashboard.Http;
using Garnet.Dashboard.Login;
using Garnet.Dashboard.Panels;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;

namespace Garnet.Dashboard.Events;

/// <summary>
/// Once a second the server is looked at, whoever looks at the page; then an event is made for each user who does, not for each page. What
/// a user may see is asked each time, so that rights which are taken are gone a second later.
/// </summary>
internal sealed class EventFeed : IAsyncDisposable
{
    /// <summary>Pages that follow the events at the same time.</summary>
    public const int MaxStreams = 200;

    private static readonly TimeSpan Period = TimeSpan.FromSeconds(1);

    // While all clients are paused, so is a look.
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(3);

    private readonly IDashboardServer _server;
    private readonly ILogger _log;
    private readonly TimeProvider _time;
    private readonly Recorder _recorder;
    private readonly Lock _gate = new();
    private readonly List<EventStream> _streams = [];
    private readonly List<DashboardSessions> _sessions = [];
    private readonly CancellationTokenSource _closing = new();
    private readonly PeriodicTimer _timer;
    private Task _looking = Task.CompletedTask;
    private bool _isLooking;

    /// <summary>Prepares it.</summary>
    public EventFeed(IDashboardServer server, TimeProvider time, ILogger log)
    {
        _server = server;
        _log = log;
        _time = time;
        _recorder = new Recorder(server, time);
        _timer = new PeriodicTimer(Period, time);
    }

    /// <summary>Begins to look, once the server runs commands.</summary>
    public void Start()
    {
        lock (_gate)
        {
            if (_isLooking || _closing.IsCancellationRequested)
                return;
            _isLooking = true;
            _looking = Task.Run(LookAsync);
        }
    }

    /// <summary>Open pages.</summary>
    public int Count
    {
        get
        {
            lock (_gate)
                return _streams.Count;
        }
    }

    /// <summary>Ends sessions of a dashboard as their time comes.</summary>
    public void Watch(DashboardSessions sessions)
    {
        lock (_gate)
            _sessions.Add(sessions);
    }

    /// <summary>Answers with events until the page is closed.</summary>
    public async Task AnswerAsync(HttpContext context, DashboardSession session)
    {
        var stream = new EventStream(session, _time);
        if (!TryAdd(stream))
        {
            await Answer
                .ErrorAsync(context, StatusCodes.Status503ServiceUnavailable, "Too many dashboards are open.")
                .ConfigureAwait(false);
            return;
        }

        using var end = CancellationTokenSource.CreateLinkedTokenSource(
            context.RequestAborted,
            session.Ended,
            stream.Ended,
            _closing.Token
        );
        await FollowAsync(context, stream, end.Token).ConfigureAwait(false);
    }

    /// <summary>Answers with the figures of the last hour, or less of it.</summary>
    public async Task WriteHistoryAsync(HttpContext context, DashboardSession session)
    {
        int seconds = Math.Clamp(Number(context, "seconds", History.Seconds), 1, History.Seconds);
        int step = Math.Clamp(Number(context, "step", 1), 1, seconds);
        Missing missing = await MissingAsync(session.User, context.RequestAborted).ConfigureAwait(false);
        // Who may see nothing of it gets its head alone.
        bool isAnyShown = missing.Info is null || missing.Latency is null;
        byte[] bytes = isAnyShown ? _recorder.History.Export(seconds, step, missing.IsShown) : new byte[History.HeaderBytes];
        RequestMemory.Of(context).Take(bytes.Length);
        await Answer.BytesAsync(context, bytes, "application/octet-stream").ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        if (_closing.IsCancellationRequested)
            return;
        await _closing.CancelAsync().ConfigureAwait(false);
        _timer.Dispose();
        Task looking;
        lock (_gate)
            looking = _looking;
        await looking.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
    }

    private async Task FollowAsync(HttpContext context, EventStream stream, CancellationToken end)
    {
        try
        {
            context.Response.ContentType = "text/event-stream";
            await context.Response.StartAsync(end).ConfigureAwait(false);
            await context.Response.Body.FlushAsync(end).ConfigureAwait(false);
            await stream.WriteToAsync(context.Response.Body, end).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (end.IsCancellationRequested)
        {
            // The page asks again, and learns from the answer whether it has to log in.
        }
        catch (TimeoutException)
        {
            // What it has not read would be kept for it.
            context.Abort();
        }
        finally
        {
            lock (_gate)
                _streams.Remove(stream);
            stream.Session.EndStream();
        }
    }

    private bool TryAdd(EventStream stream)
    {
        if (!stream.Session.TryBeginStream())
            return false;
        lock (_gate)
        {
            if (_streams.Count >= MaxStreams && Dispensable(stream.Session.User) is { } other)
            {
                _streams.Remove(other);
                other.End();
            }

            if (_streams.Count < MaxStreams)
            {
                _streams.Add(stream);
                return true;
            }
        }

        stream.Session.EndStream();
        return false;
    }

    // The oldest page of the user that has most of them, unless the new one would be that user's own: nobody keeps others out.
    private EventStream? Dispensable(string newcomer)
    {
        IGrouping<string, EventStream> most = _streams
            .GroupBy(static stream => stream.Session.User, StringComparer.Ordinal)
            .MaxBy(static pages => pages.Count())!;
        return most.Count() > _streams.Count(stream => stream.Session.User == newcomer) + 1 ? most.First() : null;
    }

    private async Task LookAsync()
    {
        bool wasWell = true;
        do
        {
            try
            {
                using var patience = new CancellationTokenSource(Patience, _time);
                using var end = CancellationTokenSource.CreateLinkedTokenSource(patience.Token, _closing.Token);
                EndOver();
                await _recorder.LookAsync(end.Token).ConfigureAwait(false);
                await SendAsync(end.Token).ConfigureAwait(false);
                wasWell = true;
            }
            // Whatever is wrong with one look, the next one is tried; a page of figures that stand still would say nothing.
            catch (Exception e) when (!_closing.IsCancellationRequested)
            {
                if (wasWell)
                    _log.LogWarning(e, "The dashboard cannot read the server's figures");
                wasWell = false;
            }
        } while (await _timer.WaitForNextTickAsync(_closing.Token).ConfigureAwait(false));
    }

    // First of all, whatever the server is busy with.
    private void EndOver()
    {
        DashboardSessions[] sessions;
        lock (_gate)
            sessions = [.. _sessions];
        foreach (DashboardSessions each in sessions)
            each.EndOver();
    }

    private async Task SendAsync(CancellationToken cancellationToken)
    {
        EventStream[] streams;
        lock (_gate)
            streams = [.. _streams];
        foreach (IGrouping<string, EventStream> pages in streams.GroupBy(static stream => stream.Session.User, StringComparer.Ordinal))
        {
            Missing missing = await MissingAsync(pages.Key, cancellationToken).ConfigureAwait(false);
            ReadOnlyMemory<byte> message = Message(missing);
            foreach (EventStream stream in pages)
                stream.Offer(message);
        }
    }

    private async ValueTask<Missing> MissingAsync(string user, CancellationToken cancellationToken) =>
        new(
            await Rights.MissingAsync(_server, user, Words.Of("INFO"), cancellationToken).ConfigureAwait(false),
            await Rights.MissingAsync(_server, user, Words.Of("LATENCY", "HISTOGRAM"), cancellationToken).ConfigureAwait(false)
        );

    private ArraySegment<byte> Message(in Missing missing)
    {
        var buffer = new ArrayBufferWriter<byte>(2048);
        buffer.Write("data: "u8);
        using (var json = new Utf8JsonWriter(buffer))
        {
            json.WriteStartObject();
            json.WriteNumber("second", _recorder.LatestSecond);
            json.WriteStartArray("values");
            ReadOnlySpan<float> values = _recorder.Latest;
            for (int i = 0; i < values.Length; i++)
            {
                if (missing.IsShown(i) && float.IsFinite(values[i]))
                    json.WriteNumberValue(values[i]);
                else
                    json.WriteNullValue();
            }

            json.WriteEndArray();
            json.WriteStartObject("missing");
            if (missing.Info is not null)
                json.WriteString("info", missing.Info);
            if (missing.Latency is not null)
                json.WriteString("latency", missing.Latency);
            json.WriteEndObject();
            json.WriteEndObject();
        }

        buffer.Write("\n\n"u8);
        return buffer.WrittenSpan.ToArray();
    }

    private static int Number(HttpContext context, string name, int otherwise) =>
        int.TryParse(context.Request.Query[name], out int number) ? number : otherwise;

    // Why the user may not see the figures of INFO and of LATENCY HISTOGRAM; null for each that it may.
    private readonly record struct Missing(string? Info, string? Latency)
    {
        public bool IsShown(int column) => (FigureList.IsOfHistogram(column) ? Latency : Info) is null;
    }
}
