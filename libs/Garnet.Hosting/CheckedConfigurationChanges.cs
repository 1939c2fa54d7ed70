// Reports changes of an application's settings for one server, if they are valid. Called by the thread that reloads the configuration.
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Microsoft.Extensions.Primitives;

namespace Garnet.Hosting;

/// <summary>
/// Without this, a mistake in a configuration file that is edited while the application runs would be an exception on the thread that
/// watches the file. Here it is one line in the log, and the settings stay as they are.
/// </summary>
internal sealed class CheckedConfigurationChanges : IOptionsChangeTokenSource<GarnetOptions>, IDisposable
{
    private readonly IOptionsFactory<GarnetOptions> _factory;
    private readonly ILogger _log;
    private readonly IDisposable _watching;
    private ConfigurationReloadToken _token = new();

    public CheckedConfigurationChanges(string name, IConfiguration section, IOptionsFactory<GarnetOptions> factory, ILogger log)
    {
        Name = name;
        _factory = factory;
        _log = log;
        _watching = ChangeToken.OnChange(section.GetReloadToken, OnReload);
    }

    public string Name { get; }

    public IChangeToken GetChangeToken() => Volatile.Read(ref _token);

    public void Dispose() => _watching.Dispose();

    private void OnReload()
    {
        try
        {
            _factory.Create(Name);
        }
        catch (OptionsValidationException e)
        {
            _log.LogError("The changed settings were not applied: {Problem}", string.Join("; ", e.Failures));
            return;
        }
        Interlocked.Exchange(ref _token, new ConfigurationReloadToken()).OnReload();
    }
}
