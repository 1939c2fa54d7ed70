// Compiles the scripts that clients send. On the thread that executes the command.
using Garnet.Engine.Execution;
using Garnet.Lua.Compilation;
using Garnet.Lua.Execution;

namespace Garnet.Server.Scripting;

/// <summary>
/// Short sources are compiled at once. A long one is compiled as a script runs: alone, within script-memory-limit, and once it takes as
/// long as a slow script, others are let in and can end it.
/// </summary>
internal static class ScriptCompilation
{
    // Compiling so much takes about as long as a few hundred commands, and less memory than the smallest limit.
    private const int LongSource = 64 * 1024;

    private const string ErrorPrefix = "ERR Error compiling script (new function): ";

    /// <summary>Finds a script, or compiles and keeps it.</summary>
    /// <param name="context">The command that brings it.</param>
    /// <param name="scripts">The scripts of the server.</param>
    /// <param name="source">The script.</param>
    /// <param name="isLoaded">By SCRIPT LOAD: it will not be dropped, and its code is made anew by the first call.</param>
    /// <param name="script">The script.</param>
    /// <returns>The error, or null.</returns>
    public static string? Add(
        ref CommandContext context,
        ServerScripts scripts,
        ReadOnlySpan<byte> source,
        bool isLoaded,
        out Script script
    )
    {
        ScriptCache cache = scripts.Cache;
        var hash = ScriptHash.Of(source);
        if (cache.Find(hash) is { } known)
        {
            script = known;
            if (isLoaded)
                cache.Keep(known);
            return null;
        }

        script = null!;
        MemoryLimit limit = scripts.Limit;
        if (source.Length > limit.Bytes)
            return ErrorPrefix + limit.Error;
        if (ScriptShebang.Read(source, out ScriptFlags flags, out _) is { } wrong)
            return wrong;
        var added = new Script(hash, source.ToArray(), flags);
        if (Compile(ref context, scripts, added, out Prototype code) is { } problem)
            return problem;
        if (!isLoaded)
            added.Code = code;
        script = cache.Add(added, isLoaded);
        return null;
    }

    /// <summary>Compiles a script of the cache that was only loaded so far.</summary>
    /// <returns>The error, or null.</returns>
    public static string? EnsureCode(ref CommandContext context, ServerScripts scripts, Script script)
    {
        if (script.Code is not null)
            return null;
        if (Compile(ref context, scripts, script, out Prototype code) is { } problem)
            return problem;
        scripts.Cache.SetCode(script, code);
        return null;
    }

    /// <summary>Compiles a script's source.</summary>
    /// <param name="script">The script.</param>
    /// <param name="meter">Counts what that takes, or null.</param>
    /// <param name="code">The code.</param>
    /// <returns>The error, or null.</returns>
    public static string? Compile(Script script, CompilationMeter? meter, out Prototype code)
    {
        code = null!;
        ScriptShebang.Read(script.Source, out _, out int shebang);
        try
        {
            code = LuaCompiler.CompileKept(script.Source, shebang, "@user_script", meter);
            return null;
        }
        catch (LuaSyntaxException e)
        {
            return ErrorPrefix + e.Message;
        }
    }

    private static string? Compile(ref CommandContext context, ServerScripts scripts, Script script, out Prototype code)
    {
        if (script.Source.Length <= LongSource)
            return Compile(script, meter: null, out code);
        // A transaction on latched keys cannot stop the others; it has waited for its keys, and they for it.
        bool isAlone = context.Store.Barrier.IsExclusive || !context.Client.Transactions.IsExecuting;
        if (isAlone)
            context.Store.BeginExclusive();
        ScriptMachine machine = scripts.Rent();
        try
        {
            return machine.Compile(ref context, script, out code);
        }
        finally
        {
            machine.Release();
            if (isAlone)
                context.Store.EndExclusive();
        }
    }
}
