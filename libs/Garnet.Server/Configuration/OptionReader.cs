// Reads options from text before the server starts: pairs, environment, configuration files. One thread.
using System.Collections;
using System.IO.Enumeration;
using Garnet.Store;

namespace Garnet.Server.Configuration;

/// <summary>
/// Applies the settings of one source after another to <see cref="GarnetOptions"/>; later ones win. Any error is an
/// <see cref="OptionException"/> that says where.
/// </summary>
internal sealed class OptionReader(GarnetOptions options)
{
    private const int MaxIncludeDepth = 16;
    private const string EnvironmentPrefix = "GARNET_";
    private readonly HashSet<OptionDescriptor> _readLines = [];

    /// <summary>Stores one setting.</summary>
    /// <param name="source">The name of the setting for messages, such as <c>--port</c> or <c>garnet.conf line 3: port</c>.</param>
    /// <param name="option">The option.</param>
    /// <param name="arguments">The words of its value.</param>
    /// <param name="isLine">Whether they are those of a line of a file, in which words with spaces are quoted.</param>
    public void Set(string source, OptionDescriptor option, IReadOnlyList<string> arguments, bool isLine = false)
    {
        // `save "60 100"` and `save 60 100` mean the same.
        IReadOnlyList<string> words =
            option.TakesSeveral && !option.TakesWholeLine && !(isLine && option.HasWordsWithSpaces) && arguments is [{ Length: > 0 } only]
                ? ConfigurationLine.Split(only) ?? throw new OptionException($"{source}: unbalanced quotes")
                : arguments;
        if (option.TrySet(options, words) is not { } problem)
            return;
        string value = option.Sensitive ? "" : " " + string.Join(' ', arguments.Select(word => word.Length == 0 ? "\"\"" : word));
        throw new OptionException($"{source}{value}: {option.Explain(problem)}");
    }

    /// <summary>Reads <c>GARNET_PORT</c>, <c>GARNET_MAXMEMORY_POLICY</c> and so on; other variables are ignored.</summary>
    public void ReadEnvironment(IDictionary variables)
    {
        if (variables[HostSystem.Variable] is string system && !HostSystem.IsKnown(system))
        {
            throw new OptionException($"{HostSystem.Variable} {system}: not a system that can be simulated here (allowed: windows, macos)");
        }

        foreach ((string name, OptionDescriptor option) in OptionTable.Names)
        {
            string variable = EnvironmentPrefix + name.ToUpperInvariant().Replace('-', '_');
            if (variables[variable] is not string value)
                continue;
            // For a service called "garnet", Kubernetes sets GARNET_PORT=tcp://<address>:<port> in every pod of the namespace.
            if (value.StartsWith("tcp://", StringComparison.Ordinal) && option.Property == nameof(GarnetOptions.Port))
                continue;
            Set(variable, option, [value]);
        }
    }

    /// <summary>Reads a file of <c>option value ...</c> lines with comments and <c>include</c>.</summary>
    public void ReadFile(string path) => ReadFile(path, 0);

    /// <summary>Checks conditions that involve several sources, and the values set by code.</summary>
    public void Finish()
    {
        if (OptionTable.FindWrongValue(options) is var (wrong, value, trouble))
            throw new OptionException($"{wrong.Name}{(wrong.Sensitive ? "" : " " + value)}: {wrong.Explain(trouble)}");
        if (OptionTable.FindConflict(options) is var (name, problem))
            throw new OptionException($"{name}: {problem}");
    }

    private void ReadFile(string path, int depth)
    {
        if (depth > MaxIncludeDepth)
            throw new OptionException($"{path}: included more than {MaxIncludeDepth} files deep");
        int number = 0;
        foreach (string line in ReadLines(path))
        {
            number++;
            if (line.Trim() is not { Length: > 0 } text || text[0] == '#')
                continue;
            string place = $"{path} line {number}";
            List<string> words = ConfigurationLine.Split(text) ?? throw new OptionException($"{place}: unbalanced quotes");
            if (words is [var include, var pattern] && include.Equals("include", StringComparison.OrdinalIgnoreCase))
            {
                foreach (string included in Matches(pattern))
                    ReadFile(included, depth + 1);
                continue;
            }
            if (words[0].Equals("user", StringComparison.OrdinalIgnoreCase))
            {
                options.Users = WithLine("user", place, options.Users, words);
                continue;
            }

            if (words[0].Equals("role", StringComparison.OrdinalIgnoreCase))
            {
                options.Roles = WithLine("role", place, options.Roles, words);
                continue;
            }

            if (words is [var setting, var settingValue] && setting.Contains('.', StringComparison.Ordinal))
            {
                options.ModuleSettings = new Dictionary<string, string>(options.ModuleSettings, StringComparer.OrdinalIgnoreCase)
                {
                    [setting] = settingValue,
                };
                continue;
            }

            OptionDescriptor option =
                OptionTable.Find(words[0])
                ?? throw new OptionException($"{place}: unknown option '{words[0]}'; garnet --help all lists all options");
            List<string> value = words[1..];
            if (option.TakesWholeLine && words is not [_, ""])
                value = [string.Join(' ', value.Select(ConfigurationLine.QuoteIfNeeded))];
            Set($"{place}: {option.Name}", option, [.. Earlier(option), .. value], isLine: true);
        }
    }

    // user <name> <rule> ..., or role <name> <rule> ...
    private static Dictionary<string, string> WithLine(
        string kind,
        string place,
        IReadOnlyDictionary<string, string> earlier,
        List<string> words
    )
    {
        if (words.Count < 2)
            throw new OptionException($"{place}: {kind}: a name and rules must follow");
        if (earlier.ContainsKey(words[1]))
        {
            throw new OptionException(
                $"{place}: {kind} {words[1]}: Duplicate {kind} found. A {kind} can only be defined once in config files"
            );
        }

        return new Dictionary<string, string>(earlier, StringComparer.Ordinal) { [words[1]] = string.Join(' ', words[2..]) };
    }

    // The earlier lines of the files for an option whose lines are combined; empty arguments start over.
    private IReadOnlyList<string> Earlier(OptionDescriptor option)
    {
        bool isFirst = _readLines.Add(option);
        string value = option.Format(options);
        return !option.AddsUp || isFirst || value.Length == 0 ? [] : option.SplitValue(value);
    }

    private static string[] ReadLines(string path)
    {
        try
        {
            return File.ReadAllLines(path);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new OptionException($"{path}: cannot be read: {e.Message}");
        }
    }

    // A pattern may match nothing, so that an empty directory of fragments can be included; a plain path must exist.
    private static IEnumerable<string> Matches(string pattern)
    {
        if (pattern.AsSpan().IndexOfAny('*', '?') < 0)
            return [pattern];
        string directory = Path.GetDirectoryName(pattern) is { Length: > 0 } given ? given : ".";
        if (!Directory.Exists(directory))
            return [];
        string name = Path.GetFileName(pattern);
        return Directory
            .EnumerateFiles(directory)
            .Where(file => FileSystemName.MatchesSimpleExpression(name, Path.GetFileName(file), ignoreCase: false))
            .Order(StringComparer.Ordinal);
    }
}
