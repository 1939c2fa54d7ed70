// What the server knows of scripts. Thread-safe.
using System.Collections.Concurrent;
using Garnet.Server.Sessions;

namespace Garnet.Server.Scripting;

/// <summary>The scripts that clients have sent, and what runs them: one machine for each thread that executes commands.</summary>
internal sealed class ServerScripts(RespServer server)
{
    private readonly ConcurrentDictionary<BatchContext, ScriptMachine> _machines = new();

    public ScriptCache Cache { get; } = new();

    /// <summary>The script that runs now.</summary>
    public RunningScript Running { get; } = new(server.Configuration);

    /// <summary>The machine of the thread that executes a batch; made for its first script.</summary>
    public ScriptMachine MachineOf(BatchContext batch) =>
        _machines.TryGetValue(batch, out ScriptMachine? machine) ? machine : _machines.GetOrAdd(batch, new ScriptMachine(server));
}
