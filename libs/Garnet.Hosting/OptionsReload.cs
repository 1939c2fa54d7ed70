// Applies an application's reloaded settings. Called by any thread that reloads the configuration; reloads are applied one after
// another.
using Garnet.Server.Configuration;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace Garnet.Hosting;

/// <summary>
/// Applies the differences between two versions of the application's settings to the running server, like CONFIG SET. A change made by
/// CONFIG SET in between remains, unless the application's setting changes, too. Options that take effect only at the start are named in
/// the log. Rejected values, such as a certificate whose file does not exist yet, are tried again with the next reload.
/// </summary>
internal sealed class OptionsReload : IDisposable
{
    private readonly Lock _gate = new();
    private readonly GarnetServer _server;
    private readonly ILogger _log;
    private readonly IDisposable? _listening;
    private Task _applying = Task.CompletedTask;
    private GarnetOptions _taken;

    public OptionsReload(IOptionsMonitor<GarnetOptions> monitor, GarnetServer server, ILogger log)
    {
        _server = server;
        _log = log;
        _taken = monitor.Get(server.Name).Clone();
        _listening = monitor.OnChange(
            (options, name) =>
            {
                if ((name ?? Options.DefaultName) != server.Name)
                    return;
                // Not awaited: slow parts, such as opening other endpoints, complete later.
                lock (_gate)
                    _applying = ApplyAsync(_applying, options.Clone());
            }
        );
    }

    public void Dispose() => _listening?.Dispose();

    private async Task ApplyAsync(Task before, GarnetOptions next)
    {
        await before.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        List<OptionDescriptor> changed = [.. OptionTable.All.Where(option => option.Format(_taken) != option.Format(next))];
        foreach (OptionDescriptor? option in changed.Where(static option => option.Mutability != Mutability.Runtime))
            _log.LogWarning("The setting {Option} has changed; it takes effect at the next start", option.Name);
        List<OptionDescriptor> settable = [.. changed.Where(static option => option.Mutability == Mutability.Runtime)];
        if (settable.Count > 0 && !await TrySetAsync(settable, next).ConfigureAwait(false))
        {
            foreach (OptionDescriptor option in settable)
                Copy(option, from: _taken, to: next);
        }

        _taken = next;
    }

    private async Task<bool> TrySetAsync(List<OptionDescriptor> options, GarnetOptions next)
    {
        string names = string.Join(", ", options.Select(static option => option.Name));
        string? problem = await _server
            .Configuration.SetAsync([.. options.Select(option => (option.Name, option.Format(next)))])
            .ConfigureAwait(false);
        if (problem is null)
            _log.LogInformation("Changed settings applied: {Options}", names);
        else
            _log.LogError("The changed settings {Options} were not applied: {Problem}", names, problem);
        return problem is null;
    }

    private static void Copy(OptionDescriptor option, GarnetOptions from, GarnetOptions to)
    {
        string value = option.Format(from);
        option.TrySet(to, option.SplitValue(value));
    }
}
