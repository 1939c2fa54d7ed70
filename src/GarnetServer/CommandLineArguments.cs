// Arguments of the process, turned into settings. One thread, at start.
using Garnet.Hosting;
using Garnet.Server.Configuration;

namespace Garnet.Tool;

/// <summary>
/// Reads <c>garnet [file] [--option value ...]</c>. Only the form is checked here: what a value may be is the business of
/// <see cref="OptionTable"/>, as for every other source. CommandLineParser would want a class with a property for each of its hundreds of
/// names; looking at all of them took a third of a native build's start.
/// </summary>
internal sealed class CommandLineArguments
{
    private const string Hint = "garnet --help all lists all options";

    private readonly List<(string Name, string[] Words)> _settings = [];

    private CommandLineArguments() { }

    /// <summary>Path of the configuration file, or null.</summary>
    public string? FilePath { get; private set; }

    /// <summary>Reads the arguments' form; an <see cref="OptionException"/> says what is wrong with it.</summary>
    /// <param name="arguments">The arguments.</param>
    /// <param name="others">Options with one value each that are read elsewhere.</param>
    public static CommandLineArguments Parse(string[] arguments, params ReadOnlySpan<string> others)
    {
        var read = new CommandLineArguments();
        for (int at = 0; at < arguments.Length; )
        {
            if (!IsOption(arguments[at]))
                read.SetFile(arguments[at++]);
            else if (others.Contains(arguments[at]))
                at += 2;
            else
                read.AddSetting(arguments, ref at);
        }

        return read;
    }

    /// <summary>Stores the settings; an <see cref="OptionException"/> says which value is wrong.</summary>
    public void Apply(OptionReader reader)
    {
        foreach ((string name, string[] words) in _settings)
            reader.Set("--" + name, OptionTable.Find(name)!, words);
    }

    /// <summary>What may have been meant by a name that is no option's, to be put behind it; empty when nothing is near.</summary>
    internal static string Suggestion(string name) => NearestOption.Find(name) is { } near ? $" (did you mean --{near}?)" : "";

    // A number may be negative, and - alone stands for standard input in many programs: neither is an option.
    private static bool IsOption(string word) => word.Length > 1 && word[0] == '-' && !char.IsAsciiDigit(word[1]);

    private void SetFile(string word)
    {
        if (FilePath is not null)
        {
            throw new OptionException($"unexpected argument '{word}': options begin with --, and only one configuration file can be named");
        }

        FilePath = word;
    }

    // --name=value, or --name and its words: one, or all up to the next option.
    private void AddSetting(string[] arguments, ref int at)
    {
        string argument = arguments[at++];
        string[] parts = argument.Split('=', 2);
        string given = parts[0].TrimStart('-');
        OptionDescriptor option =
            (parts[0].StartsWith("--", StringComparison.Ordinal) ? OptionTable.Find(given) : null) ?? throw Unknown(given);
        List<string> words = [.. parts[1..]];
        if (words.Count == 0 || option.TakesSeveral)
        {
            int most = option.TakesSeveral ? int.MaxValue : 1;
            while (words.Count < most && at < arguments.Length && !IsOption(arguments[at]))
                words.Add(arguments[at++]);
        }

        if (words.Count == 0)
            throw new OptionException($"--{given} {option.Explain("needs a value")}");
        if (_settings.Exists(setting => setting.Name.Equals(given, StringComparison.OrdinalIgnoreCase)))
            throw new OptionException($"--{given} is given twice");
        _settings.Add((given, [.. words]));
    }

    private static OptionException Unknown(string name) =>
        new($"unknown option '{name}'{Suggestion(name)}; a value that begins with - is written --option=value; {Hint}");
}
