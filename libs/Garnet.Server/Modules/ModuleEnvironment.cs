// What the modules of a server share. Any thread.
using Garnet.Engine.Clients;
using Garnet.Engine.Execution;
using Garnet.Server.Basics;
using Garnet.Server.Configuration;
using Garnet.Server.Effects;
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Modules;

/// <summary>The server as modules see it, and whether they may do work of their own.</summary>
internal sealed class ModuleEnvironment(
    ServerConfiguration configuration,
    CommandTable commands,
    EffectFeed effects,
    LoadingState loading,
    ServerClock clock,
    ModuleLoggers loggers
)
{
    private CallParts? _calls;
    private volatile bool _isOpen;

    /// <summary>The options in force.</summary>
    public GarnetOptions Options => configuration.Current;

    /// <summary>All commands.</summary>
    public CommandTable Commands => commands;

    /// <summary>The exact time.</summary>
    public TimeProvider Time => clock.Time;

    /// <summary>Whether the server is a replica.</summary>
    public bool IsReplica => effects.IsFollowing;

    /// <summary>Whether clients are served, so that modules may do work of their own.</summary>
    public bool IsOpen
    {
        get => _isOpen;
        set => _isOpen = value;
    }

    /// <summary>Whether modules may do work of their own now, as there is data.</summary>
    public bool IsServing => _isOpen && loading.HasData;

    /// <summary>The log of a module.</summary>
    public ILogger LoggerFor(string module) => loggers.For(module);

    /// <summary>What calls of commands need.</summary>
    /// <exception cref="InvalidOperationException">The server has not started.</exception>
    public CallParts Calls => _calls ?? throw new InvalidOperationException("The server has not started.");

    /// <summary>From here on modules can call commands. Before <see cref="IsOpen"/>.</summary>
    public void Start(CallParts calls) => _calls = calls;

    /// <summary>What calls commands outside of a client's command.</summary>
    public ServerCaller NewCaller(LoadedModule module) => new(Calls, module);
}
