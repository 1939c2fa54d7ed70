// Identifies the steps of saving by name, and ends the process at one of them. Any thread; steps pass one at a time.
using System.Diagnostics;
using System.Globalization;
using System.Text.RegularExpressions;

namespace Garnet.CrashTarget;

/// <summary>
/// A step is an operation and the kind of file it applies to: <c>sync new log 0</c>. Steps count as soon as there is a file <c>armed</c> in
/// the server's folder; the newest generation of the log at that time is the old one. Without a fatal step, the names are appended to a
/// file <c>steps</c>.
/// </summary>
internal sealed partial class StepWatch
{
    private readonly object _gate = new();
    private readonly string _armedPath;
    private readonly string _stepsPath;
    private readonly string _fatal;
    private readonly Dictionary<string, int> _times = [];
    private int _newest;
    private bool _isArmed;

    public StepWatch(string folder, string logFolder, string fatal)
    {
        _armedPath = Path.Combine(folder, "armed");
        _stepsPath = Path.Combine(folder, "steps");
        _fatal = fatal;
        if (Directory.Exists(logFolder))
            _newest = Directory.EnumerateFiles(logFolder).Select(GenerationOf).DefaultIfEmpty().Max();
    }

    /// <summary>Called before the process ends itself.</summary>
    public Action? Ending { get; set; }

    /// <summary>Called before each atomic step. At the fatal one it does not return.</summary>
    public void Pass(string operation, string path)
    {
        if (IsFatal(operation, path))
            End();
    }

    /// <summary>
    /// Called before a step. True at the fatal one: then the caller does a part of it and calls <see cref="End"/>; until then no other
    /// thread passes a step.
    /// </summary>
    /// <param name="operation">The operation.</param>
    /// <param name="path">The file it applies to.</param>
    public bool IsFatal(string operation, string path)
    {
        Monitor.Enter(_gate);
        _isArmed = _isArmed || File.Exists(_armedPath);
        if (!_isArmed)
            _newest = Math.Max(_newest, GenerationOf(path));
        string name = _isArmed ? NameOf(operation, path) : "";
        if (_isArmed && name == _fatal)
            return true;
        if (_isArmed && _fatal.Length == 0)
            File.AppendAllText(_stepsPath, name + "\n");
        Monitor.Exit(_gate);
        return false;
    }

    /// <summary>Ends the process at once.</summary>
    public void End()
    {
        Ending?.Invoke();
        using var self = Process.GetCurrentProcess();
        self.Kill();
        Thread.Sleep(Timeout.Infinite);
    }

    // The manifest is written more than once, each time with a different meaning.
    private string NameOf(string operation, string path)
    {
        string name = $"{operation} {KindOf(path)}";
        if (!name.Contains("manifest", StringComparison.Ordinal))
            return name;
        int count = _times.GetValueOrDefault(name) + 1;
        _times[name] = count;
        return string.Create(CultureInfo.InvariantCulture, $"{name} {count}");
    }

    private string KindOf(string path)
    {
        Match file = FileName().Match(path);
        if (!file.Success)
            return KindOfOther(path);
        string age = GenerationOf(path) > _newest ? "new" : "old";
        if (!file.Groups["segment"].Success)
            return path.EndsWith(".tmp", StringComparison.Ordinal) ? $"{age} base aside" : $"{age} base";
        return $"{age} log {int.Parse(file.Groups["segment"].Value, CultureInfo.InvariantCulture)}";
    }

    private static string KindOfOther(string path)
    {
        bool isAside = path.EndsWith(".tmp", StringComparison.Ordinal);
        if (path.Contains(".garnet.manifest", StringComparison.Ordinal))
            return isAside ? "manifest aside" : "manifest";
        return path == WatchedTier.Name ? "tier"
            : isAside ? "snapshot aside"
            : path.EndsWith(".rdb", StringComparison.Ordinal) ? "snapshot"
            : "folder";
    }

    private static int GenerationOf(string path) =>
        FileName().Match(path) is { Success: true } file ? int.Parse(file.Groups["generation"].Value, CultureInfo.InvariantCulture) : 0;

    [GeneratedRegex(@"\.(?<generation>\d{6})\.(?:log\.(?<segment>\d{6})|base\.rdb(?:\.\d+-\d+\.tmp)?)$")]
    private static partial Regex FileName();
}
