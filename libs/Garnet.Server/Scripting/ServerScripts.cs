// What the server knows of scripts. Thread-safe.
using Garnet.Server.Scripting.Functions;
using Garnet.Server.Sessions;

namespace Garnet.Server.Scripting;

/// <summary>The scripts that clients have sent, the functions, and the machines that run scripts.</summary>
internal sealed class ServerScripts
{
    private readonly RespServer _server;

    private static int s_threads;

    // Each thread begins with a machine of its own, whose state stays in the cache of the thread's processor.
    [ThreadStatic]
    private static int t_thread;

    /// <summary>How many machines are kept.</summary>
    public static readonly int MaxMachines = Math.Clamp(Environment.ProcessorCount * 2, 4, 64);

    // As many as scripts have run beside each other; made when they are needed.
    private readonly ScriptMachine?[] _machines = new ScriptMachine?[MaxMachines];

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

    /// <summary>Memory of what machines keep of earlier scripts to use it again.</summary>
    public long MachineBytes
    {
        get
        {
            long bytes = 0;
            foreach (ScriptMachine? machine in _machines)
                bytes += machine?.KeptBytes ?? 0;
            return bytes;
        }
    }

    /// <summary>
    /// Memory of scripts and functions, of what runs them, and of the values of the scripts that run now. Any thread.
    /// </summary>
    public long Bytes
    {
        get
        {
            long values = 0;
            foreach (ScriptMachine? machine in _machines)
                values += machine?.State.Heap.UsedBytes ?? 0;
            long functions = Functions.IsEmpty ? 0 : Functions.Catalog.Bytes + Functions.Catalog.StateBytes;
            return Cache.Bytes + MachineBytes + values + functions;
        }
    }

    /// <summary>A machine for one script, which the caller releases when the script has ended.</summary>
    public ScriptMachine Rent()
    {
        bool isInsecure = _server.Configuration.Current.LuaEnableInsecureApi;
        if (t_thread == 0)
            t_thread = Interlocked.Increment(ref s_threads);
        for (int offset = 0; offset < _machines.Length; offset++)
        {
            int i = (int)((uint)(t_thread + offset) % (uint)_machines.Length);
            ScriptMachine? machine = Volatile.Read(ref _machines[i]);
            if (machine is not null && !machine.TryTake())
                continue;
            if (machine is not null && machine.IsInsecure == isInsecure)
                return machine;
            ScriptMachine made = NewMachine(i);
            if (Interlocked.CompareExchange(ref _machines[i], made, machine) == machine)
                return made;
        }

        // More scripts at once than processors: it is not kept.
        return NewMachine(_machines.Length);
    }

    private ScriptMachine NewMachine(int number)
    {
        var machine = new ScriptMachine(_server, isForFunctions: false) { Number = number };
        machine.TryTake();
        return machine;
    }
}
