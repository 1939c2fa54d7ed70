// Loads libraries into a Lua state and runs their functions. Used by one thread at a time: under the barrier, or before others see it.
using System.Diagnostics;
using System.Text;
using Garnet.Lua.Compilation;
using Garnet.Lua.Execution;
using Garnet.Lua.Values;

namespace Garnet.Server.Scripting;

/// <summary>
/// One state for all libraries, so that what a library keeps in its local variables lives from call to call. The global variables are
/// read-only and the same for all; while a library is being loaded they are fewer.
/// </summary>
internal sealed class FunctionRuntime : IExecutionMonitor
{
    private const int Interval = 100_000;

    // What a client loaded once is loaded again, on a machine that may be busier now; but files and primaries cannot stop the server.
    private static readonly TimeSpan TrustedTime = TimeSpan.FromSeconds(30);

    private readonly LuaTable _environment = new() { IsReadOnly = true };
    private readonly LuaTable _metatable = new();
    private readonly LibraryRegistration _registration = new();
    private readonly ScriptHost _host;
    private LuaTable? _whileLoading;
    private ScriptMachine? _machine;
    private long _deadline;

    public FunctionRuntime(ScriptHost host)
    {
        _host = host;
        _environment.Metatable = _metatable;
    }

    /// <summary>Runs the functions; made for the first library.</summary>
    public ScriptMachine Machine => _machine ?? CreateMachine();

    /// <summary>Memory of what libraries keep, and of what was allocated since it was measured last. Any thread.</summary>
    public long UsedBytes => Volatile.Read(ref _machine)?.State.Heap.UsedBytes ?? 0;

    private LuaState State => Machine.State;

    /// <summary>Compiles a library and runs it, so that it registers its functions.</summary>
    /// <param name="source">The library.</param>
    /// <param name="header">Its first line.</param>
    /// <param name="isTrusted">Whether it was loaded before: by a file or the primary.</param>
    /// <param name="library">The library.</param>
    /// <returns>The error, or null.</returns>
    public string? Load(byte[] source, in LibraryHeader header, bool isTrusted, out FunctionLibrary library)
    {
        library = null!;
        TimeSpan time = isTrusted ? TrustedTime : _host.Configuration.Current.FunctionLoadTimeout;
        _deadline = time == TimeSpan.Zero ? long.MaxValue : Stopwatch.GetTimestamp() + (long)(time.TotalSeconds * Stopwatch.Frequency);
        Machine.ApplyLimit();
        if (Compile(header, out Prototype code) is { } wrong)
            return wrong;
        _registration.Begin();
        string? problem = Run(code) ?? _registration.Problem;
        if (problem is null)
            library = new FunctionLibrary(header.Name, source, code.Bytes, [.. _registration.Functions]);
        _registration.Begin();
        return problem;
    }

    /// <summary>Makes the callbacks of these libraries count as memory in use, and no others.</summary>
    public void KeepOnly(IEnumerable<FunctionLibrary> libraries)
    {
        State.Roots.Clear();
        foreach (FunctionLibrary library in libraries)
            Keep(library);
    }

    /// <inheritdoc/>
    public void OnInterval(LuaState state)
    {
        if (Stopwatch.GetTimestamp() > _deadline)
            throw new LuaInterruptedException("FUNCTION LOAD timeout");
    }

    private ScriptMachine CreateMachine()
    {
        var machine = new ScriptMachine(_host, isForFunctions: true);
        _whileLoading = ServerLibrary.CreateWhileLoading(machine, _registration.Register);
        _metatable.Set("__index", new LuaValue(machine.State.Globals));
        _metatable.IsReadOnly = true;
        Volatile.Write(ref _machine, machine);
        return machine;
    }

    private void Keep(FunctionLibrary library)
    {
        foreach (LibraryFunction function in library.Functions)
            State.Roots.Add(function.Callback);
    }

    // Within the time and the memory of functions.
    private string? Compile(in LibraryHeader header, out Prototype code)
    {
        State.SetMonitor(this, Interval);
        try
        {
            return LibraryCode.Compile(header, new CompilationMeter(State), out code);
        }
        catch (LuaInterruptedException e)
        {
            code = null!;
            return "Error compiling function: " + e.Message;
        }
        finally
        {
            State.SetMonitor(null, 0);
        }
    }

    private string? Run(Prototype code)
    {
        LuaState state = State;
        _metatable.Set("__index", new LuaValue(_whileLoading!));
        state.SetMonitor(this, Interval);
        _registration.IsOpen = true;
        try
        {
            state.Run(new LuaValue(state.Load(code, _environment)), []);
            return null;
        }
        catch (LuaException e)
        {
            return "Error registering functions: " + TextOf(e.Value);
        }
        catch (LuaInterruptedException e)
        {
            return "Error registering functions: " + e.Message;
        }
        finally
        {
            _registration.IsOpen = false;
            state.Heap.HostBytes = 0;
            state.SetMonitor(null, 0);
            state.End(leftNothing: false);
            _metatable.Set("__index", new LuaValue(state.Globals));
        }
    }

    private static string TextOf(in LuaValue error) =>
        error.Object switch
        {
            LuaTable table => Encoding.Latin1.GetString(ScriptReply.ErrorText(table)),
            null or LuaString => "ERR " + Encoding.Latin1.GetString(CText.UpToZero(ScriptReply.TextOf(error))),
            _ => "ERR unknown error",
        };
}
