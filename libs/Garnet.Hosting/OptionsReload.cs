// Puts an application's reloaded settings into force. Called by whoever reloads the configuration, any thread; reloads are applied one
// after another.
using Garnet.Server.Configuration;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace Garnet.Hosting;

/// <summary>
/// Hands what has changed between two readings of the application's settings to the running server, as CONFIG SET would. What CONFIG SET
/// changed in between stays, unless the application's setting changes too. Options that only count at the start are named in the log. What
/// was refused, such as a certificate whose file is not there yet, is tried again with the next reload.
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
                // Nobody waits for a reload; what takes time, such as listening elsewhere, ends later.
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
        option.TrySet(to, option.TakesSeveral ? value.Split(' ') : [value]);
    }
}
