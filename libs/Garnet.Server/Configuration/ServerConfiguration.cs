// The settings of a running server. Readers use Current without a lock, any thread; changes are made one after another, on a copy,
// which is then published as a whole. Checks, applications and change handlers are part of a change and must not change settings
// themselves.
namespace Garnet.Server.Configuration;

/// <summary>Holds the options of a running server, and applies CONFIG's changes atomically.</summary>
internal sealed class ServerConfiguration
{
    private readonly SemaphoreSlim _changing = new(1);
    private readonly Lock _rewriting = new();
    private readonly Lock _publishing = new();
    private readonly List<(string Option, Func<GarnetOptions, string?> Check)> _checks = [];
    private readonly List<(string[] Options, Func<GarnetOptions, Task<string?>> Apply, bool IsImmediate)> _applications = [];
    private readonly List<(string Option, Action<GarnetOptions> Reaction)> _reactions = [];
    private volatile GarnetOptions _current;

    /// <summary>Copies the options that a server starts with.</summary>
    /// <param name="options">The options; later changes to this object are not seen.</param>
    /// <param name="file">The file that CONFIG REWRITE writes, or null when the server was started without one.</param>
    public ServerConfiguration(GarnetOptions options, string? file = null)
    {
        _current = options.Clone();
        FilePath = file is null ? null : Path.GetFullPath(file);
    }

    /// <summary>The current settings. The object never changes; a change publishes another one. Cheap enough for every command.</summary>
    public GarnetOptions Current => _current;

    /// <summary>Full path of the configuration file, or null.</summary>
    public string? FilePath { get; }

    /// <summary>
    /// Registers a function that checks the new options when CONFIG SET names this one; a non-null result rejects the change.
    /// </summary>
    /// <param name="option">The option's main name.</param>
    /// <param name="check">Returns what is wrong, or null.</param>
    public void Check(string option, Func<GarnetOptions, string?> check) => Register(() => _checks.Add((option, check)));

    /// <summary>
    /// Registers a function that applies changes of some options before they are published. It may wait, and may return an error after
    /// restoring the previous state.
    /// </summary>
    /// <param name="options">The options' main names.</param>
    /// <param name="apply">Called once for a change of any of them, with the new options.</param>
    public void Apply(string[] options, Func<GarnetOptions, Task<string?>> apply) =>
        Register(() => _applications.Add((options, apply, false)));

    /// <summary>
    /// As <see cref="Apply"/>, for a function that never waits, so that the change can also be made inside a transaction.
    /// </summary>
    internal void ApplyAtOnce(string[] options, Func<GarnetOptions, string?> apply) =>
        Register(() => _applications.Add((options, next => Task.FromResult(apply(next)), true)));

    /// <summary>Registers a function to be called after each change of one option, with the new options.</summary>
    /// <param name="option">The option's main name.</param>
    /// <param name="reaction">Applies the new value; it cannot reject it.</param>
    public void OnChange(string option, Action<GarnetOptions> reaction) => Register(() => _reactions.Add((option, reaction)));

    /// <summary>
    /// Applies all changes or none. Returns the text of the error reply, without its code, or null. Most changes complete synchronously.
    /// </summary>
    /// <param name="changes">The options with their new values.</param>
    /// <param name="mayWait">False where the result is needed at once; changes that would wait are then rejected.</param>
    /// <param name="mayProtected">True when protected options may also be changed.</param>
    public async ValueTask<string?> SetAsync(
        IReadOnlyList<(string Name, string Value)> changes,
        bool mayWait = true,
        bool mayProtected = false
    )
    {
        if (!mayWait && !_changing.Wait(0))
            return "CONFIG SET failed - another change is under way";
        if (mayWait)
            await _changing.WaitAsync().ConfigureAwait(false);
        try
        {
            return FindRefusal(changes, mayProtected) ?? await SetAloneAsync(changes, mayWait).ConfigureAwait(false);
        }
        finally
        {
            _changing.Release();
        }
    }

    private async ValueTask<string?> SetAloneAsync(IReadOnlyList<(string Name, string Value)> changes, bool mayWait)
    {
        GarnetOptions previous = _current;
        GarnetOptions next = previous.Clone();
        if (StoreAll(changes, next) is { } problem)
            return problem;
        for (int i = 0; i < _applications.Count; i++)
        {
            (string[]? options, Func<GarnetOptions, Task<string?>>? apply, bool isImmediate) = _applications[i];
            if (!options.Any(option => Differs(option, previous, next)))
                continue;
            if (
                (mayWait || isImmediate ? await apply(next).ConfigureAwait(false) : "not possible inside a transaction")
                is not { } objection
            )
            {
                continue;
            }

            await RestoreAsync(i, previous, next).ConfigureAwait(false);
            return Failure(changes.First(change => options.Contains(OptionTable.Find(change.Name)!.Name)).Name, objection);
        }

        lock (_publishing)
        {
            next.ReplicaOf = _current.ReplicaOf;
            _current = next;
        }

        foreach ((string option, Action<GarnetOptions> reaction) in _reactions)
        {
            if (
                Differs(option, previous, next)
                || (
                    OptionTable.Find(option)!.IsVolatile
                    && changes.Any(change => change.Name.Equals(option, StringComparison.OrdinalIgnoreCase))
                )
            )
            {
                reaction(next);
            }
        }

        return null;
    }

    // Reverts what was applied before the failure.
    private async ValueTask RestoreAsync(int failed, GarnetOptions previous, GarnetOptions next)
    {
        foreach ((string[] options, Func<GarnetOptions, Task<string?>>? apply, bool _) in _applications.Take(failed))
        {
            if (options.Any(option => Differs(option, previous, next)))
                await apply(previous).ConfigureAwait(false);
        }
    }

    private void Register(Action add)
    {
        _changing.Wait();
        add();
        _changing.Release();
    }

    private static bool Differs(string name, GarnetOptions one, GarnetOptions other)
    {
        OptionDescriptor option = OptionTable.Find(name)!;
        return option.Format(one) != option.Format(other);
    }

    /// <summary>The role has changed by a command: the option shows it, and is written by CONFIG REWRITE.</summary>
    /// <param name="primary">Host and port of the primary; empty for none.</param>
    public void OnPrimaryChanged(string primary)
    {
        lock (_publishing)
        {
            GarnetOptions next = _current.Clone();
            next.ReplicaOf = primary;
            _current = next;
        }
    }

    /// <summary>
    /// Writes the settings into the configuration file, keeping its comments and order. Returns the text of the error reply, or null.
    /// </summary>
    /// <param name="users">The lines of the users; none when they stand elsewhere.</param>
    /// <param name="modules">The modules; null to leave what the file says of them.</param>
    /// <param name="writesAll">Whether options that have their defaults are written as well.</param>
    public string? Rewrite(IReadOnlyList<string>? users = null, ModuleLines? modules = null, bool writesAll = false)
    {
        if (FilePath is null)
            return "The server is running without a config file";
        lock (_rewriting)
        {
            try
            {
                new ConfigurationRewriter(FilePath, users ?? [], modules, writesAll).Write(_current);
                return null;
            }
            catch (Exception e) when (e is IOException or UnauthorizedAccessException)
            {
                // A disk error is returned to the client; the settings in memory are not changed.
                return $"Rewriting config file: {e.Message}";
            }
        }
    }

    // Finds changes that are rejected whatever the values are; the first problem is returned.
    private static string? FindRefusal(IReadOnlyList<(string Name, string Value)> changes, bool mayProtected)
    {
        for (int i = 0; i < changes.Count; i++)
        {
            string name = changes[i].Name;
            if (OptionTable.Find(name) is not { } option)
                return $"Unknown option or number of arguments for CONFIG SET - '{name}'";
            if (option.Mutability == Mutability.Immutable)
                return Failure(name, "can't set immutable config");
            if (option.Mutability == Mutability.Protected && !mayProtected)
                return Failure(name, "can't set protected config");
            if (changes.Take(i).Any(earlier => earlier.Name.Equals(name, StringComparison.OrdinalIgnoreCase)))
                return Failure(name, "duplicate parameter");
        }
        return null;
    }

    private string? StoreAll(IReadOnlyList<(string Name, string Value)> changes, GarnetOptions next)
    {
        foreach ((string name, string value) in changes)
        {
            OptionDescriptor option = OptionTable.Find(name)!;
            if (option.TrySet(next, option.SplitValue(value)) is { } problem)
                return Failure(name.ToLowerInvariant(), problem);
        }
        if (OptionTable.FindConflict(next) is var (conflicting, conflict))
            return Failure(conflicting, conflict);
        foreach ((string checkedName, Func<GarnetOptions, string?>? check) in _checks)
        {
            if (changes.Any(change => OptionTable.Find(change.Name)!.Name == checkedName) && check(next) is { } objection)
                return Failure(checkedName, objection);
        }
        return null;
    }

    private static string Failure(string name, string problem) => $"CONFIG SET failed (possibly related to argument '{name}') - {problem}";
}
