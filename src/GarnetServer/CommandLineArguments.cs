// Arguments of the process, turned into settings. One thread, at start.
using Garnet.Hosting;
using Garnet.Server.Configuration;
using Garnet.Server.Startup;

namespace Garnet.Tool;

/// <summary>
/// Reads <c>garnet [file] [-] [--option value ...]</c>. Only the form is checked here: what a value may be is the business of
/// <see cref="OptionTable"/>, as for every other source. CommandLineParser would want a class with a property for each of its hundreds of
/// names; looking at all of them took a third of a native build's start.
/// </summary>
internal sealed class CommandLineArguments
{
    private const string Hint = "garnet --help all lists all options";
    private const string StandardInput = "-";
    private const string NameCharacters = "-_=ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

    private readonly List<(string Name, string[] Words)> _settings = [];

    private CommandLineArguments() { }

    /// <summary>Path of the configuration file, or null.</summary>
    public string? FilePath { get; private set; }

    /// <summary>Whether a configuration is to be read from standard input, after the file.</summary>
    public bool ReadsInput { get; private set; }

    /// <summary>Reads the arguments' form; an <see cref="OptionException"/> says what is wrong with it.</summary>
    /// <param name="arguments">The arguments.</param>
    /// <param name="others">Options with one value each that are read elsewhere.</param>
    public static CommandLineArguments Parse(string[] arguments, params ReadOnlySpan<string> others)
    {
        var read = new CommandLineArguments();
        for (int at = 0; at < arguments.Length; )
        {
            if (arguments[at] == StandardInput)
                read.SetInput(at++);
            else if (!IsOption(arguments[at]))
                read.SetFile(arguments[at++]);
            else if (others.Contains(arguments[at]))
                at += 2;
            else
                read.AddSetting(arguments, ref at);
        }

        return read;
    }

    /// <summary>Stores the settings in their order; an <see cref="OptionException"/> says which value is wrong.</summary>
    public void Apply(OptionReader reader)
    {
        reader.BeginSource();
        foreach ((string name, string[] words) in _settings)
        {
            if (OptionTable.Find(name) is { } option)
                reader.Set("--" + name, option, words);
            else
                reader.Direct("--" + name, [name, .. words]);
        }
    }

    /// <summary>What may have been meant by a name that is no option's, to be put behind it; empty when nothing is near.</summary>
    internal static string Suggestion(string name) => NearestOption.Find(name) is { } near ? $" (did you mean --{near}?)" : "";

    // A word with one hyphen is a mistaken option if the rest could be a name; otherwise it is a value: a negative number, standard input,
    // an address that may be missing (-::1), a rule of a user (-@all).
    private static bool IsOption(string word) =>
        word.StartsWith("--", StringComparison.Ordinal)
        || (word.Length > 1 && word[0] == '-' && word.AsSpan(1).IndexOfAnyExcept(NameCharacters) < 0 && !char.IsAsciiDigit(word[1]));

    private void SetFile(string word)
    {
        if (FilePath is not null)
            throw new OptionException($"unexpected argument '{word}': options begin with --, and only one configuration file can be named");

        FilePath = word;
    }

    private void SetInput(int at)
    {
        if (ReadsInput)
            throw new OptionException($"unexpected argument '-' ({at + 1}): standard input can be read once");
        ReadsInput = true;
    }

    // --name=value, or --name and its words: one, or all up to the next option.
    private void AddSetting(string[] arguments, ref int at)
    {
        string argument = arguments[at++];
        string[] parts = argument.Split('=', 2);
        string given = parts[0].TrimStart('-');
        bool hasHyphens = parts[0].StartsWith("--", StringComparison.Ordinal);
        OptionDescriptor? option = hasHyphens ? OptionTable.Find(given) : null;
        if (option is null && !(hasHyphens && Directives.Contains(given)))
            throw Unknown(given);
        List<string> words = [.. parts[1..]];
        if (option is null)
            TakeWords(words, arguments, ref at, Directives.WordCount(given) ?? int.MaxValue, isFree: true);
        else if (words.Count == 0 || option.TakesSeveral)
            TakeWords(words, arguments, ref at, option.TakesSeveral ? int.MaxValue : 1, isFree: false);
        if (option is null)
        {
            _settings.Add((given, [.. words]));
            return;
        }

        if (words.Count == 0)
            words.Add(option.ValueWhenAlone ?? throw new OptionException($"--{given} {option.Explain("needs a value")}"));
        if (!option.MayRepeat && _settings.Exists(setting => setting.Name.Equals(given, StringComparison.OrdinalIgnoreCase)))
            throw new OptionException($"--{given} is given twice");
        _settings.Add((given, [.. words]));
    }

    // The words of a user's rules may look like options: -flushall. At the end - is standard input, as in Valkey.
    private static void TakeWords(List<string> words, string[] arguments, ref int at, int most, bool isFree)
    {
        while (words.Count < most && at < arguments.Length && !(arguments[at] == StandardInput && at == arguments.Length - 1))
        {
            if (isFree ? arguments[at].StartsWith("--", StringComparison.Ordinal) : IsOption(arguments[at]))
                break;
            words.Add(arguments[at++]);
        }
    }

    private static OptionException Unknown(string name) =>
        new($"unknown option '{name}'{Suggestion(name)}; a value that begins with - is written --option=value; {Hint}");
}
