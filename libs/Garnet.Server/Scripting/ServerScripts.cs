// What the server knows of scripts. Thread-safe.
using Garnet.Server.Scripting.Functions;
using Garnet.Server.Sessions;

namespace Garnet.Server.Scripting;

/// <summary>The scripts that clients have sent, the functions, and the machines that run scripts.</summary>
internal sealed class ServerScripts
{
    private readonly RespServer _server;

    // One is enough: scripts run alone.
    private ScriptMachine? _idle;
    private ScriptMachine? _last;

    public ServerScripts(RespServer server)
    {
        _server = server;
        Cache = new ScriptCache(server.Configuration);
        Functions = new ServerFunctions(server);
        Running = new RunningScript(server.Configuration);
        // What scripts may call is decided when they are compiled, as in Valkey.
        bool isInsecure = server.Configuration.Current.LuaEnableInsecureApi;
        server.Configuration.OnChange(
            "lua-enable-insecure-api",
            changed =>
            {
                if (changed.LuaEnableInsecureApi != isInsecure)
                    Cache.Clear();
                isInsecure = changed.LuaEnableInsecureApi;
            }
        );
    }

    public ScriptCache Cache { get; }

    /// <summary>The libraries of functions.</summary>
    public ServerFunctions Functions { get; }

    /// <summary>The script that runs now.</summary>
    public RunningScript Running { get; }

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
        ScriptMachine? idle = Interlocked.Exchange(ref _idle, null);
        bool isUsable = idle is not null && idle.IsInsecure == _server.Configuration.Current.LuaEnableInsecureApi;
        ScriptMachine machine = isUsable ? idle! : new ScriptMachine(_server, isForFunctions: false);
        Volatile.Write(ref _last, machine);
        return machine;
    }

    /// <summary>Gives a machine back.</summary>
    public void Return(ScriptMachine machine) => Volatile.Write(ref _idle, machine);
}
