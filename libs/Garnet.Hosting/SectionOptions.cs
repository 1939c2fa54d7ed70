// Fills one server's options from its section of the application's configuration. Any thread; options are made by one at a time.
using Garnet.Server.Configuration;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Options;

namespace Garnet.Hosting;

/// <summary>Binds the section, and checks at the end, after the code's own settings, that every value is an allowed one.</summary>
internal sealed class SectionOptions(string name, IConfigurationSection? section) : IConfigureNamedOptions<GarnetOptions>, IValidateOptions<GarnetOptions>
{
    public void Configure(GarnetOptions options) => Configure(Options.DefaultName, options);

    public void Configure(string? instance, GarnetOptions options)
    {
        if (instance == name && section is not null)
            OptionsBinder.Bind(options, section);
    }

    // The one exception for every wrong setting, wherever it stands.
    public ValidateOptionsResult Validate(string? instance, GarnetOptions options)
    {
        if (instance != name)
            return ValidateOptionsResult.Skip;
        new OptionReader(options).Finish();
        return ValidateOptionsResult.Success;
    }
}
