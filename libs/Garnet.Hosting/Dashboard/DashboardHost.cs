// The dashboards of one server: its own listener's, and routes of an application. Any thread.
using Garnet.Dashboard;

namespace Garnet.Hosting.Dashboard;

/// <summary>Makes dashboards, and ends them with the server.</summary>
internal sealed class DashboardHost(DashboardServer server, LogTail log, TimeProvider time)
{
    private readonly Lock _gate = new();
    private readonly List<DashboardApplication> _applications = [];

    /// <summary>Makes a dashboard.</summary>
    public DashboardApplication Add(DashboardSettings settings)
    {
        log.SwitchOn();
        var application = new DashboardApplication(server, settings, time);
        lock (_gate)
            _applications.Add(application);
        return application;
    }

    /// <summary>Ends all sessions and connections.</summary>
    public async Task CloseAsync()
    {
        DashboardApplication[] applications;
        lock (_gate)
            applications = [.. _applications];
        foreach (DashboardApplication application in applications)
            await application.DisposeAsync().ConfigureAwait(false);
        await server.CloseAsync().ConfigureAwait(false);
    }
}
