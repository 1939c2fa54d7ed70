// Compiles a script and makes a machine for it, so that the code for both is ready before it is needed. Runs once per process, on a thread
// of its own.
using Garnet.Lua.Compilation;
using Garnet.Server.Basics;

namespace Garnet.Server.Scripting;

/// <summary>
/// A machine has some 150 functions, each of which the runtime prepares when it is first named: the first EVAL of a process took 15 to
/// 20 ms for that, while all other clients of its thread waited.
/// </summary>
internal static class ScriptWarmup
{
    private static int s_hasRun;

    /// <summary>Starts the warm-up, unless it has run in this process, or all code is compiled already.</summary>
    public static void Start(ScriptHost host)
    {
        if (!ServerVersion.IsNative && Interlocked.Exchange(ref s_hasRun, 1) == 0)
            new Thread(() => Run(host)) { IsBackground = true, Name = "garnet-warmup" }.Start();
    }

    private static void Run(ScriptHost host)
    {
        _ = new ScriptMachine(host, isForFunctions: false);
        _ = LuaCompiler.CompileKept(
            """
            local first = redis.call('get', KEYS[1])
            for i, value in ipairs({ 1, 'two' }) do
              if first == value then return { ok = i .. '' } end
            end
            return tonumber(ARGV[1])
            """u8.ToArray(),
            0,
            "@user_script"
        );
    }
}
