// What the server knows of scripts. Thread-safe.
using Garnet.Server.Scripting.Functions;
using Garnet.Server.Sessions;

namespace Garnet.Server.Scripting;

/// <summary>The scripts that clients have sent, the functions, and the machines that run scripts.</summary>
internal sealed class ServerScripts(RespServer server)
{
    // One is enough: scripts run alone.
    private ScriptMachine? _idle;
    private ScriptMachine? _last;

    public ScriptCache Cache { get; } = new(server.Configuration);

    /// <summary>The libraries of functions.</summary>
    public ServerFunctions Functions { get; } = new(server);

    /// <summary>The script that runs now.</summary>
    public RunningScript Running { get; } = new(server.Configuration);

    /// <summary>Whether scripts may call DEBUG.</summary>
    public bool MayDebug { get; set; }

    /// <summary>Memory of the machine that runs no script now: the parts of earlier scripts that are used again.</summary>
    public long MachineBytes => Volatile.Read(ref _idle)?.KeptBytes ?? 0;

    /// <summary>
    /// Memory of scripts and functions, of what runs them, and of the values of the script that runs now. Any thread.
    /// </summary>
    public long Bytes
    {
        get
        {
            long values = Volatile.Read(ref _last)?.State.Heap.UsedBytes ?? 0;
            long functions = Functions.IsEmpty ? 0 : Functions.Catalog.Bytes + Functions.Catalog.StateBytes;
            return Cache.Bytes + MachineBytes + values + functions;
        }
    }

    /// <summary>A machine for one script; give it back when the script has ended.</summary>
    public ScriptMachine Rent()
    {
        ScriptMachine machine = Interlocked.Exchange(ref _idle, null) ?? new ScriptMachine(server, isForFunctions: false);
        Volatile.Write(ref _last, machine);
        return machine;
    }

    /// <summary>Gives a machine back.</summary>
    public void Return(ScriptMachine machine) => Volatile.Write(ref _idle, machine);
}
