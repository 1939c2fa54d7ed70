// The single list of options. Immutable once built, any thread.
// An option is added by a property in GarnetOptions and a row here; the command line, the environment, files, IConfiguration
// and CONFIG use only this table. Rows are code and not attributes, because reading attributes would cost milliseconds at every start.
namespace Garnet.Server.Configuration;

/// <summary>Every option of the server.</summary>
internal static class OptionTable
{
    /// <summary>All options, in the order of the help text.</summary>
    public static IReadOnlyList<OptionDescriptor> All { get; } =
    [
        .. EndpointOptions.All(),
        .. EncryptionOptions.All(),
        .. ThreadOptions.All(),
        .. ClientOptions.All(),
        .. MemoryOptions.All(),
        .. CollectionOptions.All(),
        .. PersistenceOptions.All(),
        .. ReplicationOptions.All(),
        .. DiagnosticsOptions.All(),
        .. ProcessOptions.All(),
        .. IgnoredOptions.All(),
    ];

    private static readonly Dictionary<string, OptionDescriptor> ByName = Index();

    /// <summary>Every name with its option, including aliases.</summary>
    public static IReadOnlyCollection<KeyValuePair<string, OptionDescriptor>> Names => ByName;

    /// <summary>The option with a name in any letter case, or null.</summary>
    public static OptionDescriptor? Find(string name) => ByName.GetValueOrDefault(name);

    /// <summary>The first option whose property has a value that its text form would not allow; null when there is none.</summary>
    public static (OptionDescriptor Option, string Value, string Problem)? FindWrongValue(GarnetOptions options)
    {
        GarnetOptions copy = options.Clone();
        foreach (OptionDescriptor option in All)
        {
            string value = option.Format(options) ?? throw new OptionException($"{option.Name}: {option.Explain("must not be null")}");
            if (option.TrySet(copy, option.SplitValue(value)) is { } problem)
                return (option, value, problem);
        }
        return null;
    }

    /// <summary>An inconsistency between individually valid options, with the option to name; null when there is none.</summary>
    public static (string Name, string Problem)? FindConflict(GarnetOptions options)
    {
        if (Crossed(options.ThreadPoolMinThreads, options.ThreadPoolMaxThreads))
            return ("thread-pool-min-threads", "must not be greater than thread-pool-max-threads");
        if (Crossed(options.ThreadPoolMinIOCompletionThreads, options.ThreadPoolMaxIOCompletionThreads))
            return ("thread-pool-min-io-completion-threads", "must not be greater than thread-pool-max-io-completion-threads");
        return null;

        // 0 keeps the runtime's number, which is checked when the numbers are applied.
        static bool Crossed(int min, int max) => max != 0 && min > max;
    }

    private static Dictionary<string, OptionDescriptor> Index()
    {
        var index = new Dictionary<string, OptionDescriptor>(StringComparer.OrdinalIgnoreCase);
        foreach (OptionDescriptor option in All)
        {
            index.Add(option.Name, option);
            foreach (string alias in option.Aliases)
                index.Add(alias, option);
        }
        return index;
    }
}
