// Arguments of the process, turned into settings. One thread, at start.
using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using CommandLine;
using Garnet.Hosting;
using Garnet.Server.Configuration;

namespace Garnet.Tool;

/// <summary>
/// Reads <c>garnet [file] [--option value ...]</c>. CommandLineParser reads the form into <see cref="CommandLineOptions"/>, all of
/// whose properties are text: what a value may be is the option table's business, as for every other source.
/// </summary>
internal sealed class CommandLineArguments
{
    private const string Hint = "garnet --help all lists all options";

    private readonly List<(string Name, string[] Words)> _settings = [];

    private CommandLineArguments() { }

    /// <summary>Path of the configuration file, or null.</summary>
    public string? FilePath { get; private set; }

    /// <summary>Reads the arguments' form; an <see cref="OptionException"/> says what is wrong with it.</summary>
    [DynamicDependency(DynamicallyAccessedMemberTypes.All, typeof(CommandLineOptions))]
    public static CommandLineArguments Parse(string[] arguments)
    {
        using var parser = new Parser(static settings =>
        {
            settings.CaseSensitive = false;
            settings.AutoHelp = false;
            settings.AutoVersion = false;
            settings.HelpWriter = null;
        });
        ParserResult<CommandLineOptions> result = parser.ParseArguments(static () => new CommandLineOptions(), arguments);
        if (result is NotParsed<CommandLineOptions>)
            throw new OptionException(Describe(result.Errors.First()));

        var read = new CommandLineArguments();
        foreach (PropertyInfo property in typeof(CommandLineOptions).GetProperties())
        {
            string[] words = [.. (IEnumerable<string>?)property.GetValue(result.Value) ?? []];
            if (words.Length > 0)
                read.Add(property.GetCustomAttribute<OptionAttribute>()?.LongName, words);
        }

        return read;
    }

    /// <summary>Stores the settings; an <see cref="OptionException"/> says which value is wrong.</summary>
    public void Apply(OptionReader reader)
    {
        foreach ((string name, string[] words) in _settings)
            reader.Set("--" + name, OptionTable.Find(name)!, words);
    }

    // An option's words, or those that belong to none.
    private void Add(string? option, string[] words)
    {
        if (option is not null)
        {
            _settings.Add((option, words));
            return;
        }

        if (words.Length > 1)
        {
            throw new OptionException(
                $"unexpected argument '{words[1]}': options begin with --, and only one configuration file can be named"
            );
        }

        FilePath = words[0];
    }

    private static string Describe(Error error) =>
        error switch
        {
            UnknownOptionError unknown =>
                $"unknown option '{unknown.Token}'{Suggestion(unknown.Token)}; a value that begins with - is written --option=value; {Hint}",
            MissingValueOptionError missing => Missing(missing.NameInfo.LongName),
            SequenceOutOfRangeError missing => Missing(missing.NameInfo.LongName),
            RepeatedOptionError repeated => $"--{repeated.NameInfo.LongName} is given twice",
            BadFormatTokenError bad => $"'{bad.Token}' is not understood; {Hint}",
            _ => $"{error.Tag}; {Hint}",
        };

    private static string Missing(string name) => $"--{name} {OptionTable.Find(name)!.Explain("needs a value")}";

    /// <summary>What may have been meant by a name that is no option's, to be put behind it; empty when nothing is near.</summary>
    internal static string Suggestion(string name) => NearestOption.Find(name) is { } near ? $" (did you mean --{near}?)" : "";
}
