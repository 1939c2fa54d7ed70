// What options about the whole process mean in an application. At start, by the hosted service.
using Garnet.Server.Configuration;
using Microsoft.Extensions.Logging;

namespace Garnet.Hosting;

/// <summary>
/// The thread pool is changed only if the settings ask for it. Logging and signals belong to the application; setting their options causes
/// a log message.
/// </summary>
internal static class ApplicationProcess
{
    private static readonly (string Option, string Instead)[] CommandOnly =
    [
        ("logfile", "the application's logging decides where messages go"),
        ("loglevel", "the application's logging decides what is logged; its categories begin with Garnet"),
        ("shutdown-on-sigint", "the application decides what signals do"),
        ("shutdown-on-sigterm", "the application decides what signals do"),
    ];

    /// <summary>Applies the options that can be applied, and logs the others.</summary>
    /// <exception cref="OptionException">The runtime refuses the bounds of the thread pool.</exception>
    public static void Apply(GarnetOptions options, ILogger log)
    {
        if (
            options.ThreadPoolMinThreads
                + options.ThreadPoolMaxThreads
                + options.ThreadPoolMinIOCompletionThreads
                + options.ThreadPoolMaxIOCompletionThreads
            > 0
        )
        {
            ThreadPoolSettings.Apply(options);
        }

        GarnetOptions defaults = new();
        foreach ((string name, string instead) in CommandOnly)
        {
            OptionDescriptor option = OptionTable.Find(name)!;
            if (option.Format(options) != option.Format(defaults))
                log.LogWarning("The setting {Option} has no effect here: {Instead}", name, instead);
        }
    }
}
