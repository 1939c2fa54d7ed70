// A stack of calls: the main one of a state, or a coroutine. Used by the thread that runs the state.
using System.Diagnostics.CodeAnalysis;
using Garnet.Lua.Values;

namespace Garnet.Lua.Execution;

/// <summary>
/// Registers of all active calls in one array, and a frame for each call of compiled code. Calls between compiled functions do not use the
/// machine's stack; calls from the host and of metamethods do, and are limited to <see cref="MaxNesting"/>.
/// </summary>
[SuppressMessage("Performance", "CA1819", Justification = "the interpreter reads the arrays directly")]
internal sealed class LuaThread
{
    /// <summary>How deep calls of compiled code may be nested.</summary>
    public const int MaxFrames = 16381;

    /// <summary>How deep host functions and metamethods may call back.</summary>
    public const int MaxNesting = 200;

    /// <summary>How many values a host function may return or unpack.</summary>
    public const int MaxResults = 8000;

    /// <summary>Moving more values than that counts as work.</summary>
    public const int ManyValues = 64;

    private const int NativeSlots = 24;

    private Frame[] _frames = [];

    public LuaThread(LuaState state)
    {
        State = state;
        Stack = new LuaValue[64];
        Stack.AsSpan().Fill(LuaValue.Nil);
    }

    public readonly LuaState State;

    public LuaValue[] Stack;

    /// <summary>The first slot that is not in use; where results of unknown number end.</summary>
    public int Top;

    public int FrameCount;

    /// <summary>
    /// How the host function that runs now was called; from code, while none runs. Errors have no position if by the host.
    /// </summary>
    public FrameCaller NativeCaller = FrameCaller.Code;

    /// <summary>The last walk over the live values that met this thread.</summary>
    public int Mark;

    /// <summary>The thread that resumed this coroutine; null for the main thread and for coroutines that do not run.</summary>
    public LuaThread? Resumer { get; set; }

    public CoroutineStatus Status { get; set; }

    /// <summary>The nesting at which a coroutine may yield: no host function or metamethod in between.</summary>
    public int ResumedAt { get; set; }

    /// <summary>How many values at the top the coroutine has yielded.</summary>
    public int YieldCount { get; set; }

    public long Bytes => 200 + ((long)Stack.Length * 16) + (_frames.Length * 72L);

    /// <summary>The slots that may hold values in use.</summary>
    public ReadOnlySpan<LuaValue> LiveSlots =>
        Stack.AsSpan(
            0,
            Math.Min(Stack.Length, FrameCount == 0 ? Top : Math.Max(Top, CurrentFrame.Base + CurrentFrame.Closure.Prototype.Registers))
        );

    public Frame CurrentFrame => _frames[FrameCount - 1];

    public Frame FrameAt(int index) => _frames[index];

    public void Push(in LuaValue value)
    {
        if (Top == Stack.Length)
            EnsureStack(Top + 1);
        Stack[Top++] = value;
    }

    /// <summary>Makes the slots below <paramref name="size"/> available.</summary>
    public void EnsureStack(int size)
    {
        if (size <= Stack.Length)
            return;
        int length = Math.Max(size, Stack.Length * 2);
        State.Heap.Charge((long)(length - Stack.Length) * 16);
        int old = Stack.Length;
        Array.Resize(ref Stack, length);
        LuaValue.Clear(Stack.AsSpan(old));
    }

    /// <summary>
    /// Calls the function at <paramref name="function"/> with the arguments that follow it. Its results replace it; if all are wanted (-1),
    /// <see cref="Top"/> is where they end.
    /// </summary>
    public void Call(int function, int arguments, int wanted, FrameCaller caller)
    {
        FrameCaller saved = NativeCaller;
        State.EnterNested();
        if (Stack[function].Object is LuaClosure closure)
        {
            Enter(closure, function, arguments, wanted, caller);
            NativeCaller = FrameCaller.Code;
            if (!Interpreter.Run(this))
                throw new InvalidOperationException("a nested call yielded");
        }
        else if (Stack[function].Object is LuaNative native)
        {
            NativeCaller = caller;
            if (!CallNative(native, function, arguments, wanted))
                throw PlainError("attempt to yield across metamethod/C-call boundary");
        }
        else
        {
            NativeCaller = FrameCaller.Native;
            arguments += InsertCallMetamethod(function, arguments);
            Call(function, arguments, wanted, caller);
        }

        State.LeaveNested();
        NativeCaller = saved;
    }

    /// <summary>Pushes a frame for a call of compiled code and arranges its arguments.</summary>
    public void Enter(LuaClosure closure, int function, int arguments, int wanted, FrameCaller caller)
    {
        Prototype prototype = closure.Prototype;
        int first = function + 1;
        int extra = 0;
        int parameters = prototype.Parameters;
        if (prototype.IsVararg)
        {
            extra = Math.Max(0, arguments - parameters);
            first += arguments;
            EnsureStack(first + prototype.Registers);
            int given = Math.Min(arguments, parameters);
            for (int i = 0; i < given; i++)
            {
                Stack[first + i] = Stack[function + 1 + i];
                Stack[function + 1 + i] = LuaValue.Nil;
            }
        }
        else if (first + prototype.Registers > Stack.Length)
        {
            EnsureStack(first + prototype.Registers);
        }

        for (int i = arguments; i < parameters; i++)
            Stack[first + i] = LuaValue.Nil;
        Top = first + prototype.Registers;
        if (FrameCount == _frames.Length)
            AddFrames();
        Frame frame = _frames[FrameCount++];
        frame.Closure = closure;
        frame.Function = function;
        frame.Base = first;
        frame.Pc = 0;
        frame.Wanted = wanted;
        frame.Extra = extra;
        frame.TailCalls = 0;
        frame.Caller = caller;
    }

    /// <summary>Calls a host function and moves its results to where the function was; false if it wants to yield.</summary>
    public bool CallNative(LuaNative native, int function, int arguments, int wanted)
    {
        Top = function + 1 + arguments;
        EnsureStack(Top + NativeSlots);
        int count = native.Body(new NativeCall(this, function + 1, arguments));
        if (count < 0)
            return false;
        PlaceResults(function, Top - count, count, wanted);
        return true;
    }

    /// <summary>Moves results to their place and fills those that are missing with nil; sets the top if all are wanted.</summary>
    public void PlaceResults(int target, int source, int count, int wanted)
    {
        LuaValue[] stack = Stack;
        if (wanted == 1)
        {
            stack[target] = count == 0 ? LuaValue.Nil : stack[source];
            return;
        }

        int moved = wanted < 0 ? count : Math.Min(count, wanted);
        if (moved > ManyValues)
            State.CountWork(moved >> 3);
        for (int i = 0; i < moved; i++)
            stack[target + i] = stack[source + i];
        for (int i = moved; i < wanted; i++)
            stack[target + i] = LuaValue.Nil;
        if (wanted < 0)
            Top = target + count;
    }

    /// <summary>Replaces a value that is not a function by its metamethod for calls, with the value as first argument.</summary>
    /// <returns>The number of arguments added: 1.</returns>
    public int InsertCallMetamethod(int function, int arguments)
    {
        LuaValue called = Stack[function];
        LuaValue metamethod = Metamethods.Find(State, called, MetaEvent.Call);
        if (metamethod.Type != LuaType.Function)
            throw OperandErrors.Call(this, called);
        EnsureStack(function + arguments + 2);
        Stack.AsSpan(function, arguments + 1).CopyTo(Stack.AsSpan(function + 1));
        Stack[function] = metamethod;
        return 1;
    }

    /// <summary>Gives up all calls above <paramref name="frames"/>, after an error.</summary>
    public void Unwind(int frames, int top)
    {
        FrameCount = frames;
        Top = top;
    }

    public void PopFrame() => FrameCount--;

    /// <summary>Removes references that calls left behind, and memory beyond what most scripts need.</summary>
    public void Clear()
    {
        FrameCount = 0;
        Top = 0;
        if (Stack.Length > 4096)
            Stack = new LuaValue[64];
        LuaValue.Clear(Stack);
        if (_frames.Length > 256)
            _frames = [];
        foreach (Frame frame in _frames)
            frame.Closure = null!;
    }

    /// <summary>An error with the position of the code that runs.</summary>
    public LuaException Error(string message) => new(new LuaValue(State.Heap.NewString(Position(1) + message)));

    /// <summary>An error without position, as of operations that a host function does.</summary>
    public LuaException PlainError(string message) => new(new LuaValue(State.Heap.NewString(message)));

    /// <summary>
    /// The position in the source of the given level of calls, as in <c>user_script:1: </c>; empty if it is not compiled code.
    /// </summary>
    public string Position(int level)
    {
        if (NativeCaller == FrameCaller.Native && level-- == 1)
            return "";
        for (int i = FrameCount - 1; i >= 0 && level > 0; i--)
        {
            Frame frame = _frames[i];
            if (--level == 0)
            {
                Prototype code = frame.Closure.Prototype;
                State.CountWork(FrameCount - i + (code.Lines.Bytes >> 2));
                return $"{code.Source}:{code.Lines[Math.Max(0, frame.Pc - 1)]}: ";
            }

            level -= frame.TailCalls;
            if (frame.Caller == FrameCaller.Native)
                level--;
        }

        return "";
    }

    private void AddFrames()
    {
        if (FrameCount >= MaxFrames)
            throw Error("stack overflow");
        int old = _frames.Length;
        int length = Math.Min(MaxFrames, Math.Max(8, old * 2));
        State.Heap.Charge((length - old) * 72L);
        Array.Resize(ref _frames, length);
        for (int i = old; i < length; i++)
            _frames[i] = new Frame();
    }
}
