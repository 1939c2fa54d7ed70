// What the server knows of scripts. Thread-safe.
using Garnet.Engine.Execution;
using Garnet.Lua.Execution;
using Garnet.Server.Configuration;
using Garnet.Server.Modules;
using Garnet.Store;
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Scripting;

/// <summary>The scripts that clients have sent, the functions, and the machines that run scripts.</summary>
internal sealed class ServerScripts
{
    private readonly ScriptHost _host;

    private static int s_threads;

    // Each thread begins with a machine of its own, whose state stays in the cache of the thread's processor.
    [ThreadStatic]
    private static int t_thread;

    /// <summary>How many machines are kept.</summary>
    public static readonly int MaxMachines = Math.Clamp(Environment.ProcessorCount * 2, 4, 64);

    // As many as scripts have run beside each other; made when they are needed.
    private readonly ScriptMachine?[] _machines = new ScriptMachine?[MaxMachines];

    /// <summary>The scripts of a server, of which there are none yet.</summary>
    public ServerScripts(
        ServerConfiguration configuration,
        HybridLogStore store,
        ILogger log,
        CommandTable commands,
        CommandFilters filters
    )
    {
        Cache = new ScriptCache(configuration);
        Running = new RunningScript(configuration);
        _host = new ScriptHost(configuration, store, log, commands, filters, Cache, Running);
        Functions = new ServerFunctions(_host);
        // What scripts may call is decided when they are compiled, as in Valkey.
        bool isInsecure = configuration.Current.LuaEnableInsecureApi;
        configuration.OnChange(
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

    /// <summary>The memory that a script may take.</summary>
    public MemoryLimit Limit => ScriptMachine.LimitOf(_host.Configuration.Current);

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
        bool isInsecure = _host.Configuration.Current.LuaEnableInsecureApi;
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

    /// <summary>Makes the first machine of a process, and the code that it needs, before it is needed.</summary>
    public void WarmUp() => ScriptWarmup.Start(_host);

    private ScriptMachine NewMachine(int number)
    {
        var machine = new ScriptMachine(_host, isForFunctions: false) { Number = number };
        machine.TryTake();
        return machine;
    }
}
