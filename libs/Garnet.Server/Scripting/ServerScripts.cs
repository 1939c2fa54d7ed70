// What the server knows of scripts. Thread-safe.
using Garnet.Server.Scripting.Functions;
using Garnet.Server.Sessions;

namespace Garnet.Server.Scripting;

/// <summary>The scripts that clients have sent, the functions, and the machines that run scripts.</summary>
internal sealed class ServerScripts(RespServer server)
{
    // Scripts run alone, so that more machines are only in use while their users wait to run.
    private const int MaxIdle = 8;

    private readonly Lock _gate = new();
    private readonly Stack<ScriptMachine> _idle = new();

    public ScriptCache Cache { get; } = new();

    /// <summary>The script that runs now.</summary>
    public RunningScript Running { get; } = new(server.Configuration);

    /// <summary>The libraries of functions.</summary>
    public ServerFunctions Functions { get; } = new(server);

    /// <summary>Memory of the machines for scripts that are not running: the parts of earlier scripts that are used again.</summary>
    public long MachineBytes
    {
        get
        {
            lock (_gate)
                return _idle.Sum(static machine => machine.KeptBytes);
        }
    }

    /// <summary>A machine for one script; give it back when the script has ended.</summary>
    public ScriptMachine Rent()
    {
        lock (_gate)
        {
            if (_idle.TryPop(out ScriptMachine? machine))
                return machine;
        }

        return new ScriptMachine(server, isForFunctions: false);
    }

    public void Return(ScriptMachine machine)
    {
        lock (_gate)
        {
            if (_idle.Count < MaxIdle)
                _idle.Push(machine);
        }
    }
}
