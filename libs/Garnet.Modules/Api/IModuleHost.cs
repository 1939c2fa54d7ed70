// What a module may ask of its server. Any thread, unless a member says otherwise.
using Microsoft.Extensions.Logging;

namespace Garnet.Modules;

/// <summary>The server that a module is part of.</summary>
public interface IModuleHost
{
    /// <summary>The server's log, under the module's name.</summary>
    ILogger Log { get; }

    /// <summary>The server's clock, which tests may replace. Commands read <see cref="ModuleContext.NowMs"/> instead.</summary>
    TimeProvider Time { get; }

    /// <summary>The arguments of MODULE LOAD, or those after the path in the option loadmodule.</summary>
    IReadOnlyList<string> Arguments { get; }

    /// <summary>
    /// Whether <see cref="ModuleContext.ReplicateWithFlags(ReplicateFlags, ReadOnlySpan{byte})"/> takes all names of this module's commands
    /// without looking them up. Set it while the module is loaded.
    /// </summary>
    bool SkipCommandValidation { get; set; }

    /// <summary>Finds a command, to be kept in a field.</summary>
    /// <param name="name">The name in any letter case; a subcommand's follows its container's, as in <c>CONFIG GET</c>.</param>
    /// <exception cref="ArgumentException">There is no such command.</exception>
    /// <exception cref="OperationCanceledException">There is none because this module was unloaded, or the server stops.</exception>
    CommandToken FindCommand(string name);

    /// <summary>
    /// Adds an option with an integer. Clients read and change it with CONFIG GET and CONFIG SET; a line of the configuration file and
    /// MODULE LOADEX give it a first value. Only while the module is loaded, as for all that is added.
    /// </summary>
    /// <param name="name">The name, which begins with the module's name and a dot: <c>limits.burst</c>.</param>
    /// <param name="value">The value unless another is given.</param>
    /// <param name="min">The smallest value allowed.</param>
    /// <param name="max">The largest value allowed.</param>
    /// <exception cref="ArgumentException">The name does not begin with the module's, or the value is out of range.</exception>
    ModuleOption<long> AddOption(string name, long value, long min, long max);

    /// <summary>Adds an option that is yes or no; see the other overload.</summary>
    ModuleOption<bool> AddOption(string name, bool value);

    /// <summary>Adds an option with a text; see the other overload.</summary>
    /// <param name="name">The name.</param>
    /// <param name="value">The value unless another is given.</param>
    /// <param name="check">Returns what is wrong with a value, or null; any text is allowed if it is null.</param>
    ModuleOption<string> AddOption(string name, string value, Func<string, string?>? check = null);

    /// <summary>Adds a type of value.</summary>
    void AddType(ModuleType type);

    /// <summary>
    /// Adds a section to INFO, which shows it to clients that ask for it, for the module, or for everything. Called by any thread.
    /// </summary>
    /// <param name="name">The section's name, to which the module's name is prefixed: <c>limits_clients</c>.</param>
    /// <param name="write">Writes the fields.</param>
    void AddInfoSection(string name, Action<InfoWriter> write);

    /// <summary>Adds an event of keys, for <see cref="ModuleContext.Notify"/>.</summary>
    /// <param name="name">Lower-case letters, digits, dots and hyphens, at most 64.</param>
    /// <exception cref="ArgumentException">The name is none.</exception>
    KeyEventToken AddKeyEvent(string name);

    /// <summary>
    /// Tells the module of events of keys that commands, expiry and eviction cause. The handler is called a moment after the command and
    /// in the order of the events, as for timers. Events that wait beyond <c>module-max-queue</c> or
    /// <c>module-max-queue-memory</c> are dropped and counted.
    /// </summary>
    /// <param name="kinds">Which events.</param>
    /// <param name="handler">Called for each.</param>
    void OnKeyEvent(KeyEventKinds kinds, Action<ModuleCaller, KeyEventInfo> handler);

    /// <summary>Tells the module of the server's events, a moment after they have happened, as for timers.</summary>
    void OnServerEvent(Action<ModuleCaller, ServerEvent> handler);

    /// <summary>
    /// Calls a method again and again. Timers, events and <see cref="Run"/> of one module are called one after the other, by a thread of
    /// the pool, beside the module's commands; never before the server's data is loaded nor after the module was unloaded. An exception is
    /// logged and counted. A round is left out while the one before waits. May be called at any time until the module is unloaded.
    /// </summary>
    /// <param name="due">Time until the first call.</param>
    /// <param name="period">Time between calls; <see cref="Timeout.InfiniteTimeSpan"/> for one call.</param>
    /// <param name="callback">The method. It may wait, and other callbacks of the module wait for it then.</param>
    /// <returns>Ends the timer when it is disposed of.</returns>
    IDisposable StartTimer(TimeSpan due, TimeSpan period, Action<ModuleCaller> callback);

    /// <summary>Calls a method soon, as for timers: for what a command cannot do itself.</summary>
    void Run(Action<ModuleCaller> callback);

    /// <summary>
    /// Adds a filter, which sees the requests of clients and what scripts and modules call, before the command is looked up. Filters are
    /// called in the order in which they are added. A command in a transaction is seen when it is queued, and one that waits when it
    /// arrives, not when it is executed again. What comes from the append-only log or from the primary is not seen: it has passed the
    /// filters there. Only while the module is loaded; ends when it is unloaded.
    /// </summary>
    /// <param name="filter">The filter. Called by any thread, many at once.</param>
    /// <param name="flags">What it does not see.</param>
    void AddCommandFilter(CommandFilter filter, CommandFilterFlags flags = CommandFilterFlags.None);

    /// <summary>
    /// Adds a hook that decides about the logins of AUTH and HELLO. The hook that was added last is asked first; if all pass a login on,
    /// the password decides. A hook may answer later, for example after a request to another service: the client waits meanwhile without
    /// holding a thread, and the module is not unloaded. In a transaction it cannot wait, and the login is refused. If the hook throws, the
    /// login is refused and the exception counted. Only while the module is loaded; ends when it is unloaded.
    /// </summary>
    /// <param name="hook">
    /// Called by any thread, many at once; what it does before its first await holds a thread that serves many clients. The token says that
    /// the client is gone.
    /// </param>
    void AddAuthentication(Func<AuthenticationRequest, CancellationToken, ValueTask<AuthenticationResult>> hook);

    /// <summary>Whether the server is a replica, which gets its changes from its primary; commands that write are refused.</summary>
    bool IsReplica { get; }
}
