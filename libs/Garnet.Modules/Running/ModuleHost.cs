// The server as a module sees it. Any thread, after the module's Load has returned.
using System.Globalization;
using System.Text;
using Garnet.Engine.Events;
using Garnet.Engine.Execution;
using Garnet.Server.Modules;
using Microsoft.Extensions.Logging;

namespace Garnet.Modules.Running;

/// <summary>Passes on what a module declares, and what it asks for.</summary>
internal sealed class ModuleHost(ModuleSetup setup) : IModuleHost
{
    private const int MaxEventLength = 64;

    /// <inheritdoc/>
    public ILogger Log { get; } = setup.Module.Log;

    /// <inheritdoc/>
    public TimeProvider Time { get; } = setup.Environment.Time;

    /// <inheritdoc/>
    public bool SkipCommandValidation
    {
        get => setup.Module.SkipsCommandValidation;
        set => setup.Module.SkipsCommandValidation = value;
    }

    /// <inheritdoc/>
    public IReadOnlyList<string> Arguments => setup.Module.Arguments;

    /// <inheritdoc/>
    public ModuleOption<long> AddOption(string name, long value, long min, long max)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(value, min);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(value, max);
        string problem = string.Create(CultureInfo.InvariantCulture, $"argument must be between {min} and {max} inclusive");
        return Add(
            new SettingOf<long>(
                name,
                value,
                text =>
                    long.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out long parsed)
                        ? (parsed, parsed >= min && parsed <= max ? null : problem)
                        : (0, "argument couldn't be parsed into an integer"),
                static number => number.ToString(CultureInfo.InvariantCulture)
            )
        );
    }

    /// <inheritdoc/>
    public ModuleOption<bool> AddOption(string name, bool value) =>
        Add(
            new SettingOf<bool>(
                name,
                value,
                static text =>
                    text.ToLowerInvariant() switch
                    {
                        "yes" => (true, null),
                        "no" => (false, null),
                        _ => (false, "argument must be 'yes' or 'no'"),
                    },
                static flag => flag ? "yes" : "no"
            )
        );

    /// <inheritdoc/>
    public ModuleOption<string> AddOption(string name, string value, Func<string, string?>? check = null)
    {
        ArgumentNullException.ThrowIfNull(value);
        return Add(new SettingOf<string>(name, value, text => (text, Problem(check, text)), static text => text));
    }

    /// <inheritdoc/>
    public void AddType(ModuleType type)
    {
        ArgumentNullException.ThrowIfNull(type);
        setup.Types.Add(type.Inner);
    }

    /// <inheritdoc/>
    public void AddInfoSection(string name, Action<InfoWriter> write)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        ArgumentNullException.ThrowIfNull(write);
        setup.InfoSections.Add(
            new ModuleInfoSection(
                $"{setup.Module.Name}_{name}",
                text =>
                {
                    try
                    {
                        write(new InfoWriter(text));
                    }
                    catch (Exception e)
                    {
                        RecordFault(e, "an INFO section");
                    }
                }
            )
        );
    }

    /// <inheritdoc/>
    public CommandToken FindCommand(string name)
    {
        ArgumentNullException.ThrowIfNull(name);
        string[] words = name.Split([' ', '|'], 2);
        Command? command = setup.Environment.Commands.FindOriginal(Encoding.UTF8.GetBytes(words[0]));
        if (words.Length > 1)
            command = command?.FindSubcommand(Encoding.UTF8.GetBytes(words[1]));
        if (command is { IsContainer: false })
            return new CommandToken(command);
        // What still runs of an unloaded module looks for its own commands, and must not fail for that.
        throw setup.Module.Worker.IsStopped
            ? new OperationCanceledException("the module was unloaded")
            : new ArgumentException($"there is no command '{name}'", nameof(name));
    }

    /// <inheritdoc/>
    public bool IsReplica => setup.Environment.IsReplica;

    /// <inheritdoc/>
    public KeyEventToken AddKeyEvent(string name)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        bool isName = name.All(static each => char.IsAsciiLetterLower(each) || char.IsAsciiDigit(each) || each is '.' or '-');
        if (name.Length > MaxEventLength || !isName)
            throw new ArgumentException($"'{name}' is no name for an event.", nameof(name));
        return new KeyEventToken(new KeyEvent(KeyEventClasses.Module, name));
    }

    /// <inheritdoc/>
    public void OnKeyEvent(KeyEventKinds kinds, Action<ModuleCaller, KeyEventInfo> handler)
    {
        ArgumentNullException.ThrowIfNull(handler);
        ModuleWorker worker = setup.Module.Worker;
        setup.KeyEvents.Add(
            new ModuleKeyEvents(
                (KeyEventClasses)kinds,
                (database, keyEvent, key) =>
                {
                    KeyEventInfo info = new(database, keyEvent.ToString(), key.ToArray());
                    worker.PostEvent(caller => Call(caller, each => handler(each, info)), key.Length);
                }
            )
        );
    }

    /// <inheritdoc/>
    public void OnServerEvent(Action<ModuleCaller, ServerEvent> handler)
    {
        ArgumentNullException.ThrowIfNull(handler);
        setup.ServerEventHandlers.Add((caller, raised) => Call(caller, each => handler(each, (ServerEvent)raised)));
    }

    /// <inheritdoc/>
    public void AddCommandFilter(CommandFilter filter, CommandFilterFlags flags)
    {
        ArgumentNullException.ThrowIfNull(filter);
        setup.Filters.Add(
            new ModuleFilter(
                setup.Module,
                SkipsOwnCalls: (flags & CommandFilterFlags.SkipOwnCalls) != 0,
                SkipsScripts: (flags & CommandFilterFlags.SkipScripts) != 0,
                (ref CommandContext context, FilteredRequest request) =>
                {
                    FilteredCommand command = new(ref context, request);
                    filter(ref command);
                }
            )
        );
    }

    /// <inheritdoc/>
    public void AddAuthentication(Func<AuthenticationRequest, CancellationToken, ValueTask<AuthenticationResult>> hook)
    {
        ArgumentNullException.ThrowIfNull(hook);
        setup.LoginHooks.Add(
            new LoginHook(
                setup.Module,
                async (attempt, stopped) => (await hook(new AuthenticationRequest(attempt), stopped).ConfigureAwait(false)).Decision
            )
        );
    }

    /// <inheritdoc/>
    public IDisposable StartTimer(TimeSpan due, TimeSpan period, Action<ModuleCaller> callback)
    {
        ArgumentNullException.ThrowIfNull(callback);
        return setup.Module.Worker.StartTimer(due, period, caller => Call(caller, callback));
    }

    /// <inheritdoc/>
    public void Run(Action<ModuleCaller> callback)
    {
        ArgumentNullException.ThrowIfNull(callback);
        setup.Module.Worker.Post(caller => Call(caller, callback));
    }

    private string? Problem(Func<string, string?>? check, string text)
    {
        try
        {
            return check?.Invoke(text);
        }
        catch (Exception e)
        {
            RecordFault(e, "the check of an option");
            return $"the module could not check the value: {e.Message}";
        }
    }

    private void RecordFault(Exception e, string where)
    {
        setup.Module.CountException();
        Log.LogError(e, "Module {Module} failed in {Where}", setup.Module.Name, where);
    }

    private static void Call(ServerCaller caller, Action<ModuleCaller> callback)
    {
        ModuleCaller passed = new(caller);
        try
        {
            callback(passed);
        }
        finally
        {
            passed.End();
        }
    }

    private ModuleOption<T> Add<T>(SettingOf<T> setting)
    {
        string prefix = setup.Module.Name + ".";
        if (!setting.Name.StartsWith(prefix, StringComparison.Ordinal) || setting.Name.Length == prefix.Length)
            throw new ArgumentException($"The name of the option '{setting.Name}' must begin with '{prefix}'.");
        setup.Add(setting);
        return new ModuleOption<T>(setting);
    }
}
