// Runs scripts on one thread that executes commands. Used by that thread.
using System.Diagnostics;
using System.Globalization;
using System.Text;
using Garnet.Engine.Execution;
using Garnet.Lua.Compilation;
using Garnet.Lua.Execution;
using Garnet.Lua.Libraries;
using Garnet.Lua.Values;
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Scripting;

/// <summary>
/// A Lua state with the server's functions, for one thread at a time. Scripts see fresh global variables KEYS and ARGV and read-only
/// tables; nothing of a script survives its run, so that its small strings and tables are used again. Functions of libraries get both
/// tables as arguments, and what their libraries keep survives.
/// </summary>
internal sealed class ScriptMachine : IExecutionMonitor
{
    private const int Interval = 100_000;
    private const int MaxRoots = 1000;

    private static readonly LuaString KeysName = LibraryNames.Get("KEYS");
    private static readonly LuaString ArgumentsName = LibraryNames.Get("ARGV");

    private static readonly Action<ClientSession> Visit = ServeOthers;

    private readonly ScriptHost _host;
    private readonly ScriptRun _run = new(new RunningCommand());
    private readonly bool _isForFunctions;
    private readonly long _libraryBytes;
    private readonly bool _isInsecure;
    private int _generation;
    private int _isTaken;
    private long _slowTimestamp;

    public ScriptMachine(ScriptHost host, bool isForFunctions)
    {
        _host = host;
        _isForFunctions = isForFunctions;
        _isInsecure = host.Configuration.Current.LuaEnableInsecureApi;
        ApplyLimit();
        StandardLibraries.AddTo(State, _isInsecure);
        Commands = new ScriptCommandCall(this, host);
        if (isForFunctions)
            ServerLibrary.AddForFunctionsTo(this);
        else
            ServerLibrary.AddTo(this);
        _libraryBytes = StandardLibraries.BytesOf(State.Globals);
    }

    public LuaState State { get; } = new();

    /// <summary>Its place among the machines that run at the same time.</summary>
    public int Number { get; init; }

    /// <summary>Calls commands for the script.</summary>
    public ScriptCommandCall Commands { get; }

    public ILogger Log => _host.Log;

    /// <summary>Whether scripts can change the environments of functions, so that what one did is there for the next.</summary>
    public bool IsInsecure => _isInsecure;

    /// <summary>Memory of what is used again by later scripts, while none runs.</summary>
    public long KeptBytes => _libraryBytes + State.Heap.PooledBytes + State.Main.Bytes;

    /// <summary>The script that runs now.</summary>
    public ScriptRun? Run { get; private set; }

    /// <summary>Takes the machine for one script, unless another thread uses it. Any thread.</summary>
    public bool TryTake() => Volatile.Read(ref _isTaken) == 0 && Interlocked.CompareExchange(ref _isTaken, 1, 0) == 0;

    /// <summary>Gives the machine back.</summary>
    public void Release() => Volatile.Write(ref _isTaken, 0);

    /// <summary>
    /// Runs a script or function and writes its reply. The caller has taken the machine, and holds the keyspace exclusively or has latched
    /// the script's keys.
    /// </summary>
    /// <param name="context">The command that calls it.</param>
    /// <param name="script">The script, or a function whose library was loaded into this machine.</param>
    /// <param name="firstKey">The first argument that is a key.</param>
    /// <param name="keys">The number of keys; all arguments after them are the script's.</param>
    /// <param name="isReadOnly">Whether the command is the read-only form.</param>
    public void Execute(ref CommandContext context, RunnableScript script, int firstKey, int keys, bool isReadOnly)
    {
        ClientSession client = context.Client;
        int database = client.Store.Database;
        _run.Begin(ref context, script, isReadOnly);
        Begin(_run);
        try
        {
            Execute(ref context, script, firstKey, keys);
        }
        finally
        {
            End(_run, database);
        }

        context.SuppressEffect();
    }

    /// <summary>
    /// Compiles a script within the limits of scripts. The caller has taken the machine, and holds the keyspace exclusively if it can.
    /// </summary>
    /// <param name="context">The command that brings the script.</param>
    /// <param name="script">The script.</param>
    /// <param name="code">Its code.</param>
    /// <returns>The error, or null.</returns>
    public string? Compile(ref CommandContext context, Script script, out Prototype code)
    {
        int database = context.Client.Store.Database;
        _run.Begin(ref context, script, isReadOnly: true);
        Begin(_run);
        try
        {
            return ScriptCompilation.Compile(script, new CompilationMeter(State), out code);
        }
        catch (LuaInterruptedException e)
        {
            code = null!;
            return "ERR " + e.Message;
        }
        finally
        {
            Leave(_run, database);
        }
    }

    /// <summary>What the values of a script may take.</summary>
    public static MemoryLimit LimitOf(GarnetOptions options) => new("script-memory-limit", options.ScriptMemoryLimitBytes);

    /// <summary>Takes over the limit of memory that the options set now.</summary>
    public void ApplyLimit()
    {
        GarnetOptions options = _host.Configuration.Current;
        State.Heap.Limit = _isForFunctions ? new MemoryLimit("function-memory-limit", options.FunctionMemoryLimitBytes) : LimitOf(options);
    }

    /// <inheritdoc/>
    public void OnInterval(LuaState state)
    {
        ScriptRun run = Run!;
        if (!run.IsSlow && Stopwatch.GetTimestamp() > _slowTimestamp)
        {
            run.IsSlow = true;
            _host.Log.LogWarning(
                "Slow script detected: still in execution after {Milliseconds} milliseconds. You can try killing the script using the {Command} command. Script name is: {Name}",
                _host.Configuration.Current.BusyReplyThresholdMs,
                run.IsFunction ? "FUNCTION KILL" : "SCRIPT KILL",
                run.Script.Name
            );
        }

        if (run.IsSlow)
            _host.Store.Epochs.Guests.Receive(Visit, run.Client);
        if (_host.Running.IsEnding)
            run.EndReason = "The server ends.";
        if (run.EndReason is { } reason)
            throw new LuaInterruptedException(reason);
    }

    // The script's thread has connections of its own, which are served on top of the script's stack, with other scratch memory.
    private static void ServeOthers(ClientSession client) =>
        client.Executor.Threads.RunWithin(static connection => connection.ServeOthers(), client.Connection);

    private void Begin(ScriptRun run)
    {
        long threshold = _host.Configuration.Current.BusyReplyThresholdMs;
        _slowTimestamp = threshold <= 0 ? long.MaxValue : run.StartTimestamp + (threshold * Stopwatch.Frequency / 1000);
        if (_isInsecure && !_isForFunctions && (_generation != _host.Cache.Generation || State.Roots.Count > MaxRoots))
        {
            _generation = _host.Cache.Generation;
            State.Roots.Clear();
        }

        ApplyLimit();
        run.StartInstructions = State.Instructions;
        run.StartBytes = State.Heap.AllocatedBytes;
        Run = run;
        run.Client.Transactions.Script = run;
        // One that runs beside others ends before its first interval would.
        if (!run.IsAlone)
            return;
        _host.Running.Begin(run);
        State.SetMonitor(this, Interval);
    }

    private void End(ScriptRun run, int database)
    {
        run.Script.Usage.Add(
            Number,
            Stopwatch.GetTimestamp() - run.StartTimestamp,
            State.Instructions - run.StartInstructions,
            State.Heap.AllocatedBytes - run.StartBytes
        );
        Leave(run, database);
    }

    private void Leave(ScriptRun run, int database)
    {
        State.SetMonitor(null, 0);
        if (_isInsecure)
            State.End(leftNothing: false);
        else if (run.Script is LibraryFunction function)
            State.End(function.Callback);
        else
            State.End(leftNothing: true);
        Run = null;
        if (run.IsAlone)
            _host.Running.End();
        ClientSession client = run.Client;
        client.Transactions.Script = null;
        client.Store.Database = database;
        if (_host.Running.IsEnding && run is { EndReason: not null, HasWritten: true })
            _host.Running.OnAborted();
        if (_host.Running.HasAborted)
        {
            client.Propagation.Discard();
            client.Propagation.IsHalf = true;
        }

        run.HandOn(database);
    }

    private void Execute(ref CommandContext context, RunnableScript script, int firstKey, int keys)
    {
        try
        {
            LuaValue keyTable = Strings(ref context, firstKey, keys);
            LuaValue argumentTable = Strings(ref context, firstKey + keys, context.Count - firstKey - keys);
            LuaValue result = script is LibraryFunction function
                ? State.Run(function.Callback, [keyTable, argumentTable])
                : CallChunk((Script)script, keyTable, argumentTable);
            // A reply is written as a whole: from here on the script cannot be ended.
            State.SetMonitor(null, 0);
            ScriptReply.Write(ref context, State, result, Run!.Protocol);
        }
        catch (LuaException e)
        {
            WriteError(ref context, e.Value);
        }
        catch (LuaInterruptedException e)
        {
            WriteError(ref context, new LuaValue(new LuaString(e.Message)));
        }
    }

    private LuaValue CallChunk(Script script, in LuaValue keys, in LuaValue arguments)
    {
        if (script.FunctionOf(this) is not { } function)
        {
            function = State.Load(script.Code!);
            if (Number < ServerScripts.MaxMachines)
                script.SetFunction(this, function);
            if (_isInsecure)
                State.Roots.Add(new LuaValue(function));
        }

        State.Globals.Place(new LuaValue(KeysName)) = keys;
        State.Globals.Place(new LuaValue(ArgumentsName)) = arguments;
        return State.Run(new LuaValue(function), []);
    }

    private LuaValue Strings(ref CommandContext context, int first, int count)
    {
        LuaTable table = State.Heap.NewTable(count);
        for (int i = 0; i < count; i++)
            table.Set(i + 1, new LuaValue(State.Heap.NewString(context[first + i])));
        return new LuaValue(table);
    }

    // The error with the position of the script's code, as "ERR message script: on @user_script:1."
    private void WriteError(ref CommandContext context, in LuaValue error)
    {
        State.SetMonitor(null, 0);
        (string? source, int line) = PositionOfError();
        byte[] position = source is null
            ? []
            : Encoding.Latin1.GetBytes(string.Create(CultureInfo.InvariantCulture, $" script: on @{source}:{line}."));
        if (error.Object is not LuaTable table)
        {
            context.Reply.WriteError([.. "ERR "u8, .. CText.UpToZero(ScriptReply.TextOf(error)), .. position]);
            return;
        }

        byte[] bytes = [.. ScriptReply.ErrorText(table), .. position];
        if (table.Get(ScriptReply.IsCounted).IsTruthy)
            ScriptReply.WriteCountedError(ref context, bytes);
        else
            context.Reply.WriteError(bytes);
    }

    private (string? Source, int Line) PositionOfError()
    {
        if (State.Main.FrameCount == 0)
            return (null, 0);
        Frame frame = State.Main.CurrentFrame;
        Prototype code = frame.Closure.Prototype;
        return (code.Source, code.Lines[Math.Max(0, frame.Pc - 1)]);
    }
}
