// The dashboards of one server: its own listener's, and routes of an application. Any thread.
using Garnet.Dashboard;
using Garnet.Dashboard.Events;

namespace Garnet.Hosting.Dashboard;

/// <summary>Makes dashboards, and ends them with the server.</summary>
internal sealed class DashboardHost(DashboardServer server, LogTail log, TimeProvider time)
{
    private readonly Lock _gate = new();
    private readonly List<DashboardApplication> _applications = [];
    private EventFeed? _feed;
    private bool _isStarted;
    private bool _isClosed;

    /// <summary>The server as its dashboards see it.</summary>
    public DashboardServer Server => server;

    /// <summary>Begins to record figures, if there is a dashboard or once there is one; the server runs commands.</summary>
    public void Start()
    {
        lock (_gate)
        {
            _isStarted = true;
            _feed?.Start();
        }
    }

    /// <summary>Makes a dashboard.</summary>
    public DashboardApplication Add(DashboardSettings settings)
    {
        log.SwitchOn();
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_isClosed, server);
            _feed ??= new EventFeed(server, time, log.CreateLogger("Garnet.Dashboard"));
            if (_isStarted)
                _feed.Start();
            var application = new DashboardApplication(server, settings, _feed, time);
            _applications.Add(application);
            return application;
        }
    }

    /// <summary>Ends all sessions and connections.</summary>
    public async Task CloseAsync()
    {
        DashboardApplication[] applications;
        lock (_gate)
        {
            _isClosed = true;
            applications = [.. _applications];
        }

        if (_feed is not null)
            await _feed.DisposeAsync().ConfigureAwait(false);
        foreach (DashboardApplication application in applications)
            await application.DisposeAsync().ConfigureAwait(false);
        await server.CloseAsync().ConfigureAwait(false);
    }
}
