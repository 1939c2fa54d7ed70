// Fills one server's options from its section of the application's configuration. Any thread; options are made by one at a time.
using System.Runtime.CompilerServices;
using Garnet.Server.Startup;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Options;

namespace Garnet.Hosting;

/// <summary>Binds the section, and checks at the end, after the code's own settings, that every value is an allowed one.</summary>
internal sealed class SectionOptions(string name, IConfigurationSection? section)
    : IConfigureNamedOptions<GarnetOptions>,
        IValidateOptions<GarnetOptions>
{
    // Errors in the section are kept until the options are validated, because .NET reports them then.
    private readonly ConditionalWeakTable<GarnetOptions, string> _problems = [];

    public void Configure(GarnetOptions options) => Configure(Options.DefaultName, options);

    public void Configure(string? instance, GarnetOptions options)
    {
        if (instance != name || section is null)
            return;
        try
        {
            OptionsBinder.Bind(options, section);
        }
        catch (OptionException e)
        {
            _problems.Add(options, e.Message);
        }
    }

    // One result for all invalid settings, in the section or in code.
    public ValidateOptionsResult Validate(string? instance, GarnetOptions options)
    {
        if (instance != name)
            return ValidateOptionsResult.Skip;
        if (_problems.TryGetValue(options, out string? problem))
            return ValidateOptionsResult.Fail(problem);
        try
        {
            new OptionReader(options).Finish();
            return ValidateOptionsResult.Success;
        }
        catch (OptionException e)
        {
            return ValidateOptionsResult.Fail(e.Message);
        }
    }
}
