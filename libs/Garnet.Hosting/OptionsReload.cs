// Puts an application's reloaded settings into force. Called by whoever reloads the configuration, any thread.
using Garnet.Server.Configuration;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace Garnet.Hosting;

/// <summary>
/// Hands what has changed between two readings of the application's settings to the running server, as CONFIG SET would. What CONFIG SET
/// changed in between stays, unless the application's setting changes too. Options that only count at the start are named in the log.
/// </summary>
internal sealed class OptionsReload : IDisposable
{
    private readonly Lock _applying = new();
    private readonly GarnetServer _server;
    private readonly ILogger _log;
    private readonly IDisposable? _listening;
    private GarnetOptions _last;

    public OptionsReload(IOptionsMonitor<GarnetOptions> monitor, GarnetServer server, ILogger log)
    {
        _server = server;
        _log = log;
        _last = monitor.Get(server.Name).Clone();
        _listening = monitor.OnChange((options, name) =>
        {
            if ((name ?? Options.DefaultName) == server.Name)
                Apply(options);
        });
    }

    public void Dispose() => _listening?.Dispose();

    private void Apply(GarnetOptions next)
    {
        lock (_applying)
        {
            var changed = OptionTable.All.Where(option => option.Format(_last) != option.Format(next)).ToList();
            _last = next.Clone();
            foreach (var option in changed.Where(static option => option.Mutability != Mutability.Runtime))
                _log.LogWarning("The setting {Option} has changed; it counts from the next start on", option.Name);
            var changes = changed.Where(static option => option.Mutability == Mutability.Runtime)
                .Select(option => (option.Name, option.Format(next))).ToList();
            if (changes.Count > 0)
                _ = SetAsync(changes);
        }
    }

    // Nobody waits for a reload; what takes time, such as listening elsewhere, ends later.
    private async Task SetAsync(List<(string Name, string Value)> changes)
    {
        string names = string.Join(", ", changes.Select(static change => change.Name));
        if (await _server.Configuration.SetAsync(changes).ConfigureAwait(false) is { } problem)
            _log.LogError("The changed settings {Options} are not taken: {Problem}", names, problem);
        else
            _log.LogInformation("Changed settings are in force: {Options}", names);
    }
}
