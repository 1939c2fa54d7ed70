// The parts of a server that its commands may have.
using Garnet.Engine.Requests;
using Garnet.Server.Commands.Connection;
using Garnet.Server.Commands.Debugging;
using Garnet.Server.Commands.Scripting;
using Garnet.Server.Sessions;

namespace Garnet.Server.Composition;

/// <summary>The list of parts: a command that needs another one gets it by a line here.</summary>
internal static class CommandPartList
{
    /// <summary>The parts of a server.</summary>
    public static CommandParts Create(RespServer server) =>
        new CommandParts()
            .Add(server.Configuration)
            .Add(server.Replication)
            .Add(server.Roles)
            .Add(server.Targets)
            .Add(server.Log)
            .Add(server.Commands)
            .Add(server.Modules)
            .Add(server.LiveModules)
            .Add(server.Users)
            .Add(server.Threads)
            .Add(server.Clients)
            .Add(server.Monitors)
            .Add(server.Messages)
            .Add(server.Tracking)
            .Add(server.Notifications)
            .Add(server.Scripts)
            .Add(server.Memory)
            .Add(server.Persistence)
            .Add(server.Persistence.Reader)
            .Add(server.Reload)
            .Add(server.FinalSave)
            .Add(server.Info)
            .Add(server.Statistics)
            .Add(server.CommandLogs)
            .Add(server.Clock)
            .Add(server.Shutdown)
            .Add(new ClientLine(server.Clock))
            .Add(new Login(server.Modules, server.Users, server.Statistics, server.Log))
            .Add(new ScriptKeys(server.Configuration))
            .Add(new ScriptPermission(server.Replication))
            .Add(
                new DebugServer(
                    server.Configuration,
                    server.Users,
                    server.Modules,
                    server.Scripts,
                    server.Replication,
                    server.Clients,
                    server.Clock
                )
            );
}
