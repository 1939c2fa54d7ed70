// Reads options from text before the server starts: pairs, environment, configuration files. One thread.
using System.Collections;
using System.IO.Enumeration;
using Garnet.Server.Configuration;
using Garnet.Store;
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Startup;

/// <summary>
/// Applies the settings of one source after another to <see cref="GarnetOptions"/>; later ones win. Any error is an
/// <see cref="OptionException"/> that says where; one of files or the environment names all that is wrong there.
/// </summary>
internal sealed class OptionReader(GarnetOptions options)
{
    private const int MaxIncludeDepth = 16;
    private const int MaxShownFaults = 20;
    private readonly HashSet<OptionDescriptor> _readLines = [];
    private readonly List<string> _faults = [];
    private readonly List<string> _retired = [];
    private readonly List<string> _warnings = [];
    private bool _isTooDeep;

    /// <summary>What the log should say of the settings, once <see cref="Finish"/> has been called.</summary>
    public IReadOnlyList<string> Warnings => _warnings;

    /// <summary>Says it.</summary>
    public void LogWarnings(ILogger log)
    {
        foreach (string warning in _warnings)
            log.LogWarning("{Warning}", warning);
    }

    /// <summary>Begins another source: lines that add up do so with those of the same source only.</summary>
    public void BeginSource() => _readLines.Clear();

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
        if (option.TrySet(options, [.. Earlier(option), .. words]) is not { } problem)
            return;
        string value = option.Sensitive ? "" : " " + string.Join(' ', arguments.Select(word => word.Length == 0 ? "\"\"" : word));
        throw new OptionException($"{source}{value}: {option.Explain(problem)}");
    }

    /// <summary>Carries out a directive, which is no option: see <see cref="Directives"/>.</summary>
    /// <param name="place">Where it stands, for messages.</param>
    /// <param name="words">Its name and its arguments.</param>
    public void Direct(string place, IReadOnlyList<string> words) => Direct(place, words, depth: 0);

    /// <summary>Reads <c>GARNET_PORT</c>, <c>GARNET_MAXMEMORY_POLICY</c> and so on; variables with other prefixes are ignored.</summary>
    public void ReadEnvironment(IDictionary variables)
    {
        if (variables[HostSystem.Variable] is string system && !HostSystem.IsKnown(system))
            throw new OptionException($"{HostSystem.Variable} {system}: not a system that can be simulated here (allowed: windows, macos)");

        BeginSource();
        foreach (string variable in variables.Keys.Cast<string>().Where(EnvironmentNames.HasPrefix).Order(StringComparer.Ordinal))
        {
            string value = (string?)variables[variable] ?? "";
            if (EnvironmentNames.IsServiceLink(variable, value))
                continue;
            string name = EnvironmentNames.OptionOf(variable);
            if (OptionTable.Find(name) is { } option)
                Collect(() => Set(variable, option, [value]));
            else if (RetiredOptions.Contains(name))
                Collect(() => Direct(variable, [name, value]));
            else if (EnvironmentNames.FindProblem(variable) is { } problem)
                _warnings.Add(problem);
        }

        ThrowFaults();
    }

    /// <summary>Reads a file of <c>option value ...</c> lines with comments and <c>include</c>.</summary>
    public void ReadFile(string path)
    {
        BeginSource();
        ReadLines(path, LinesOf(path), depth: 0);
        ThrowFaults();
    }

    /// <summary>Reads the same from an open text.</summary>
    /// <param name="text">The text.</param>
    /// <param name="name">Its name, for messages.</param>
    public void ReadText(TextReader text, string name)
    {
        BeginSource();
        ReadLines(name, text.ReadToEnd().Split('\n'), depth: 0);
        ThrowFaults();
    }

    /// <summary>Checks conditions that involve several sources, and the values set by code.</summary>
    public void Finish()
    {
        if (OptionTable.FindWrongValue(options) is var (wrong, value, trouble))
            throw new OptionException($"{wrong.Name}{(wrong.Sensitive ? "" : " " + value)}: {wrong.Explain(trouble)}");
        if (OptionTable.FindConflict(options) is var (name, problem))
            throw new OptionException($"{name}: {problem}");
        if (CommandNames.FindProblem(options.RenamedCommands) is { } trouble2)
            throw new OptionException($"rename-command {trouble2}");
        if (_retired.Count > 0)
        {
            IEnumerable<string> all = _retired.Distinct().Select(static each => $"{each} ({RetiredOptions.Reason(each)})");
            _warnings.Add($"Options of other versions that have no effect: {string.Join(", ", all)}");
        }

        _warnings.AddRange(IneffectiveOptions.Warnings(options));
        if (options.Strict && _warnings.Count > 0)
            throw new OptionException(Together(_warnings, "strict: the server does not start, because of"));
    }

    private void ReadLines(string name, IEnumerable<string> lines, int depth)
    {
        int number = 0;
        foreach (string line in lines)
        {
            string place = $"{name} line {++number}";
            if (line.Trim() is { Length: > 0 } text && text[0] != '#')
                Collect(() => ReadLine(place, text, depth));
        }
    }

    private void ReadLine(string place, string line, int depth)
    {
        List<string> words = ConfigurationLine.Split(line) ?? throw new OptionException($"{place}: unbalanced quotes");
        if (Directives.Contains(words[0]))
        {
            Direct(place, words, depth);
            return;
        }

        if (OptionTable.Find(words[0]) is not { } option)
        {
            string near = NearestOption.Find(words[0]) is { } meant ? $" (did you mean {meant}?)" : "";
            throw new OptionException($"{place}: unknown option '{words[0]}'{near}; garnet --help all lists all options");
        }

        List<string> value = words[1..];
        if (option.TakesWholeLine && words is not [_, ""])
            value = [string.Join(' ', value.Select(ConfigurationLine.QuoteIfNeeded))];
        Set($"{place}: {option.Name}", option, value, isLine: true);
    }

    private void Direct(string place, IReadOnlyList<string> words, int depth)
    {
        string name = words[0].ToLowerInvariant();
        IReadOnlyList<string> arguments = [.. words.Skip(1)];
        switch (name)
        {
            case Directives.Include when arguments is [var pattern]:
                Include(pattern, depth + 1);
                return;
            case Directives.User:
                options.Users = WithLine(name, place, options.Users, arguments);
                return;
            case Directives.Role:
                options.Roles = WithLine(name, place, options.Roles, arguments);
                return;
            case Directives.RenameCommand when arguments is [var command, var newName]:
                if (CommandNames.TryAdd(options, command, newName) is { } problem)
                    throw new OptionException($"{place}: {name} {command} {ConfigurationLine.QuoteIfNeeded(newName)}: {problem}");
                return;
            case Directives.Sentinel:
                throw new OptionException($"{place}: {name}: this server is not a Sentinel; run one of Valkey's beside it");
            case Directives.Include or Directives.RenameCommand:
                throw new OptionException($"{place}: {name}: wrong number of arguments");
        }

        if (RetiredOptions.Contains(name))
        {
            if (RetiredOptions.FindProblem(name, arguments) is { } refusal)
                throw new OptionException($"{place}: {string.Join(' ', words)}: {refusal}");
            _retired.Add(name);
            return;
        }

        // A module's option, whose name has a dot.
        if (arguments.Count == 0)
            throw new OptionException($"{place}: {words[0]}: a value must follow");
        options.ModuleSettings = new Dictionary<string, string>(options.ModuleSettings, StringComparer.OrdinalIgnoreCase)
        {
            [words[0]] = string.Join(' ', arguments),
        };
    }

    private void Include(string pattern, int depth)
    {
        if (depth > MaxIncludeDepth)
        {
            // Files that include each other would otherwise be read as often as there are ways through them.
            _isTooDeep = true;
            throw new OptionException($"{pattern}: included more than {MaxIncludeDepth} files deep");
        }

        foreach (string file in Matches(pattern))
            ReadLines(file, LinesOf(file), depth);
    }

    // user <name> <rule> ..., or role <name> <rule> ...
    private static Dictionary<string, string> WithLine(
        string kind,
        string place,
        IReadOnlyDictionary<string, string> earlier,
        IReadOnlyList<string> words
    )
    {
        if (words.Count == 0)
            throw new OptionException($"{place}: {kind}: a name and rules must follow");
        if (earlier.ContainsKey(words[0]))
        {
            throw new OptionException(
                $"{place}: {kind} {words[0]}: Duplicate {kind} found. A {kind} can only be defined once in config files"
            );
        }

        return new Dictionary<string, string>(earlier, StringComparer.Ordinal) { [words[0]] = string.Join(' ', words.Skip(1)) };
    }

    // The earlier lines of the source for an option whose lines are combined; empty arguments start over.
    private IReadOnlyList<string> Earlier(OptionDescriptor option)
    {
        bool isFirst = _readLines.Add(option);
        string value = option.Format(options);
        return !option.AddsUp || isFirst || value.Length == 0 ? [] : option.SplitValue(value);
    }

    private void Collect(Action read)
    {
        try
        {
            read();
        }
        catch (OptionException e) when (!_isTooDeep)
        {
            _faults.Add(e.Message);
        }
    }

    private void ThrowFaults()
    {
        if (_faults.Count > 0)
            throw new OptionException(_faults is [var only] ? only : Together(_faults, $"{_faults.Count} settings cannot be used:"));
    }

    private static string Together(List<string> lines, string title)
    {
        IEnumerable<string> shown = lines.Take(MaxShownFaults).Select(static line => $"{Environment.NewLine}  {line}");
        string rest = lines.Count > MaxShownFaults ? $"{Environment.NewLine}  and {lines.Count - MaxShownFaults} more" : "";
        return title + string.Concat(shown) + rest;
    }

    private static string[] LinesOf(string path)
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
