// One Lua machine: global variables, stack and limits. Belongs to one thread at a time.
using System.Runtime.CompilerServices;
using Garnet.Lua.Compilation;
using Garnet.Lua.Values;

namespace Garnet.Lua.Execution;

/// <summary>Runs compiled functions with the host's functions and limits. States share nothing that changes.</summary>
internal sealed class LuaState
{
    private const int MaxErrorNesting = LuaThread.MaxNesting + (LuaThread.MaxNesting / 8);
    private const int MaxSmallNumber = 256;

    private readonly LuaString?[] _smallNumbers = new LuaString?[MaxSmallNumber];
    private IExecutionMonitor? _monitor;
    private int _interval = int.MaxValue;
    private int _nesting;
    private long _countedBefore;

    public LuaState()
    {
        Heap = new LuaHeap(this);
        Builders = new BuilderPool(Heap);
        Globals = new LuaTable(Heap);
        Main = new LuaThread(this) { Status = CoroutineStatus.Running };
        Current = Main;
        Budget = _interval;
    }

    public LuaHeap Heap { get; }

    public LuaTable Globals { get; }

    public LuaThread Main { get; }

    /// <summary>The thread that runs now.</summary>
    public LuaThread Current { get; set; }

    /// <summary>Values that the host keeps, which count as live.</summary>
    public List<LuaValue> Roots { get; } = [];

    public LuaTable? StringMetatable { get; set; }

    /// <summary>The state of math.random.</summary>
    public RandomSequence Random { get; } = new();

    /// <summary>What the host attaches to the state, for its functions.</summary>
    public object? Host { get; set; }

    /// <summary>
    /// What is left of the current interval; the interpreter subtracts from it and calls <see cref="OnBudgetSpent"/> below 0.
    /// </summary>
    public int Budget;

    /// <summary>Instructions executed so far, including what library functions counted for long operations.</summary>
    public long Instructions => _countedBefore + (_interval - (long)Budget);

    /// <summary>How deep calls through the host's stack are nested now.</summary>
    public int Nesting => _nesting;

    /// <summary>Has the monitor called after about <paramref name="interval"/> instructions each.</summary>
    public void SetMonitor(IExecutionMonitor? monitor, int interval)
    {
        _countedBefore = Instructions;
        _monitor = monitor;
        _interval = monitor is null ? int.MaxValue : interval;
        Budget = _interval;
    }

    public void OnBudgetSpent()
    {
        _countedBefore = Instructions;
        Budget = _interval;
        _monitor?.OnInterval(this);
    }

    /// <summary>Counts the work of a library function as instructions.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void ChargeInstructions(long count)
    {
        long left = Budget - count;
        if (left >= 0)
            Budget = (int)left;
        else
            Overspend(count);
    }

    private void Overspend(long count)
    {
        CountWork(count);
        OnBudgetSpent();
    }

    /// <summary>Counts work as instructions where a script cannot be stopped; the next check sees it.</summary>
    public void CountWork(long count) => Budget = (int)Math.Max(int.MinValue / 2, Budget - count);

    /// <summary>Counts a call through the host's stack.</summary>
    /// <exception cref="LuaException">There are too many.</exception>
    public void EnterNested()
    {
        if (++_nesting < LuaThread.MaxNesting)
            return;
        if (_nesting == LuaThread.MaxNesting)
            throw Current.Error("C stack overflow");
        if (_nesting >= MaxErrorNesting)
            throw new LuaException(new LuaValue(Heap.NewString("error in error handling")));
    }

    public void LeaveNested() => _nesting--;

    /// <summary>Gives up nested calls, after an error.</summary>
    public void UnwindNesting(int nesting) => _nesting = nesting;

    /// <summary>A function of a compiled chunk.</summary>
    public LuaClosure Load(Prototype chunk, LuaTable? environment = null)
    {
        Heap.Charge(64);
        return new LuaClosure(chunk, [], environment ?? Globals);
    }

    /// <summary>Compiles source code that a script supplied; the code counts as one of its values.</summary>
    /// <exception cref="LuaSyntaxException">The source is wrong.</exception>
    /// <exception cref="LuaException">It takes more memory than the limit leaves.</exception>
    public Prototype Compile(LuaString source, string chunkName)
    {
        var meter = new CompilationMeter(this) { IsOwned = true };
        return LuaCompiler.Compile(source.Span, chunkName, calls: null, meter);
    }

    /// <summary>
    /// Calls a function on the main thread. The result of a call without error is valid until <see cref="End"/>. After an error the frames
    /// of the calls still stand, so that the host can ask for the position; <see cref="End"/> removes them.
    /// </summary>
    public LuaValue Run(in LuaValue function, ReadOnlySpan<LuaValue> arguments)
    {
        Main.Push(function);
        int position = Main.Top - 1;
        foreach (LuaValue argument in arguments)
            Main.Push(argument);
        Main.Call(position, arguments.Length, 1, FrameCaller.Native);
        Main.Top = position;
        return Main.Stack[position];
    }

    /// <summary>Ends a run, whether it failed or not; small objects are used again if it left none behind.</summary>
    public void End(bool leftNothing)
    {
        Unwind();
        Heap.EndRun(leftNothing);
    }

    /// <summary>Ends a run of a function that will be called again; small objects are used again unless it keeps one of them.</summary>
    public void End(in LuaValue function)
    {
        Unwind();
        Heap.EndRun(function);
    }

    private void Unwind()
    {
        for (LuaThread? thread = Current; thread is not null && !ReferenceEquals(thread, Main); thread = thread.Resumer)
            thread.Status = CoroutineStatus.Dead;
        Current = Main;
        Main.NativeCaller = FrameCaller.Code;
        Main.Clear();
        _nesting = 0;
        Builders.Unwind(0);
    }

    /// <summary>The builders that library functions borrow.</summary>
    public BuilderPool Builders { get; }

    /// <summary>A number as scripts print it.</summary>
    public LuaString ToText(double number)
    {
        int small = (int)number;
        if (small == number && (uint)small < MaxSmallNumber && (small != 0 || !double.IsNegative(number)))
            return _smallNumbers[small] ??= NumberText.ToLuaString(number);
        Span<byte> buffer = stackalloc byte[NumberText.MaxLength];
        return Heap.NewString(buffer[..NumberText.Format(number, buffer)]);
    }
}
