// The texts of --help. One thread, at start.
using System.Diagnostics;
using System.Text;
using Garnet.Server.Configuration;

namespace Garnet.Tool;

/// <summary>
/// The most common options on one screen; every option by topic with <c>--help all</c>; one option in full with <c>--help option</c>.
/// Ranges and defaults come from <see cref="OptionTable"/>.
/// </summary>
internal static class HelpText
{
    private const int Width = 100;
    private const string Indent = "      ";

    // Options by how a person would first write them, and what that does.
    private static readonly (string Example, string Text)[] Essentials =
    [
        ("--port 6379", "TCP port; 0 opens none"),
        ("--bind 127.0.0.1 ::1", "addresses to listen on; * is every IPv4 address"),
        ("--requirepass <password>", "password that clients must give"),
        ("--maxmemory 2gb", "memory limit; 75% of the machine's or container's works, too"),
        ("--maxmemory-policy allkeys-lru", "what to evict at the limit; by default writes are refused"),
        ("--dir /var/lib/garnet", "folder of the data files"),
        ("--save 3600 1 300 100", "snapshot after 3600 s with 1 change, or 300 s with 100"),
        ("--appendonly yes", "log every write; --appendfsync always loses nothing acknowledged"),
        ("--tls-port 6380", "TLS, with --tls-cert-file and --tls-key-file"),
        ("--metrics-port 9121", "Prometheus metrics and health checks over HTTP"),
        ("--dashboard-port 8080", "page for browsers: figures, keys and a console"),
        ("--logfile garnet.log", "log to a file; --loglevel says how much"),
    ];

    /// <summary>The text for what follows <c>--help</c>.</summary>
    /// <exception cref="OptionException">It is no option.</exception>
    public static string Build(string[] topics) =>
        topics switch
        {
            [] => Summary(),
            ["all"] => All(),
            [var name] => Details(name),
            _ => throw new OptionException("--help takes one word: all, or an option"),
        };

    private static string Summary()
    {
        var text = new StringBuilder();
        text.AppendLine("Garnet: a cache server that speaks RESP, for any Redis or Valkey client.");
        text.AppendLine();
        text.AppendLine("Usage: garnet [garnet.conf] [--option value ...]  (as a Windows service: garnet --service ...)");
        text.AppendLine();
        text.AppendLine("Common options:");
        foreach ((string example, string meaning) in Essentials)
            text.AppendLine($"  {example, -32}{meaning}");
        text.AppendLine();
        text.AppendLine("Any option also goes into the file (maxmemory 2gb) or the environment (GARNET_MAXMEMORY=2gb).");
        text.AppendLine();
        text.AppendLine("Instead of a server: garnet --version, garnet cli (a client), garnet bench (a load generator), or:");
        text.AppendLine("  garnet --help all             every option;  garnet --help maxmemory  one option in full");
        text.AppendLine("  garnet --ping [--option ...]  ask the server that runs with these options; exit code 0: healthy");
        text.AppendLine("  garnet --check [--option ...] check the data files in dir; exit code 0: they can be loaded");
        text.AppendLine("  garnet --lua file.lua ...     check scripts or libraries of functions; exit code 0: nothing found");
        return text.ToString();
    }

    private static string All()
    {
        var text = new StringBuilder();
        text.AppendLine("Every option. It goes on the command line (--option value), into the configuration file (option value) or");
        text.AppendLine("the environment (GARNET_OPTION=value, with _ for -); if it is in several, the command line wins, then the");
        text.AppendLine("environment. Sizes take kb, mb and gb. garnet --ping also takes --cert and --key, a client certificate.");
        var defaults = new GarnetOptions();
        foreach (IGrouping<OptionGroup, OptionDescriptor> group in OptionTable.All.GroupBy(static option => option.Group))
        {
            text.AppendLine().Append(Title(group.Key)).AppendLine(":");
            if (group.Key == OptionGroup.Valkey)
            {
                AppendIgnored(text, group, defaults);
                continue;
            }

            foreach (OptionDescriptor? option in group)
                Append(text, option, defaults);
        }

        return text.ToString();
    }

    // What Valkey's files may hold: options without effect here, and features that are missing, whose options are taken only where they ask
    // for nothing.
    private static void AppendIgnored(StringBuilder text, IEnumerable<OptionDescriptor> options, GarnetOptions defaults)
    {
        ILookup<bool, OptionDescriptor> parts = options.ToLookup(static option => option is FixedOption);
        AppendWrapped(
            text,
            "Accepted, so that files written for Valkey can be used, but without effect here: "
                + string.Join(
                    ", ",
                    parts[false].SelectMany(static option => option.Aliases.Prepend(option.Name)).Select(static name => "--" + name)
                )
                + "."
        );
        AppendWrapped(
            text,
            "Accepted with this value only, as the feature is missing; any other value is refused: "
                + string.Join(
                    ", ",
                    parts[true]
                        .SelectMany(option => option.Aliases.Prepend(option.Name).Select(name => $"--{name} {Shown(option, defaults)}"))
                )
                + "."
        );
    }

    private static string Details(string topic)
    {
        string name = topic.TrimStart('-');
        var defaults = new GarnetOptions();
        var text = new StringBuilder();
        if (OptionTable.Find(name) is { } option)
        {
            Append(text, option, defaults);
            AppendWrapped(text, $"In the environment: GARNET_{option.Name.ToUpperInvariant().Replace('-', '_')}. {WhenItChanges(option)}");
            return text.ToString();
        }

        OptionDescriptor[] similar = [.. OptionTable.All.Where(each => each.Name.Contains(name, StringComparison.OrdinalIgnoreCase))];
        if (name.Length == 0 || similar.Length == 0)
            throw new OptionException($"there is no option '{name}'{CommandLineArguments.Suggestion(name)}; garnet --help all lists all");
        foreach (OptionDescriptor each in similar)
            Append(text, each, defaults);
        return text.ToString();
    }

    private static string WhenItChanges(OptionDescriptor option) =>
        option.Mutability switch
        {
            Mutability.Runtime => "CONFIG SET changes it while the server runs.",
            Mutability.Protected => "CONFIG SET changes it while the server runs, where enable-protected-configs allows it.",
            _ => "It holds until the server is started again.",
        };

    private static string Title(OptionGroup group) =>
        group switch
        {
            OptionGroup.Network => "Addresses and threads",
            OptionGroup.Tls => "TLS",
            OptionGroup.Clients => "Clients",
            OptionGroup.Data => "Memory and data",
            OptionGroup.Persistence => "Saving",
            OptionGroup.Replication => "Replication",
            OptionGroup.Diagnostics => "Logs, metrics and debugging",
            OptionGroup.Valkey => "For compatibility with Valkey",
            _ => throw new UnreachableException(),
        };

    private static void Append(StringBuilder text, OptionDescriptor option, GarnetOptions defaults)
    {
        text.Append("  --").Append(option.Name);
        bool fits = option.Name.Length + option.Allowed.Length <= Width;
        if (fits)
            text.Append("  ").AppendLine(option.Allowed);
        else
            AppendWrapped(text.AppendLine(), option.Allowed.Replace("|", " | ", StringComparison.Ordinal));
        string also = option.Aliases.Count == 0 ? "" : $" Also --{string.Join(", --", option.Aliases)}.";
        AppendWrapped(text, $"{option.Help}{also} Default: {Shown(option, defaults)}.");
    }

    private static string Shown(OptionDescriptor option, GarnetOptions defaults)
    {
        string value = option.Format(defaults);
        return option.Property == nameof(GarnetOptions.Dir) ? "the working directory"
            : value.Length == 0
                ? option is FixedOption ? "\"\""
                    : "none"
            : value;
    }

    private static void AppendWrapped(StringBuilder text, string sentence)
    {
        int column = 0;
        foreach (string word in sentence.Split(' '))
        {
            bool fresh = column == 0 || column + 1 + word.Length > Width;
            if (fresh && column > 0)
                text.AppendLine();
            text.Append(fresh ? Indent : " ").Append(word);
            column = fresh ? Indent.Length + word.Length : column + 1 + word.Length;
        }

        text.AppendLine();
    }
}
