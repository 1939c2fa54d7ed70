// The virtual machine's loop. Used by the thread that runs the state.
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Garnet.Lua.Values;

namespace Garnet.Lua.Execution;

/// <summary>
/// Executes compiled code. The loop has the common case of each instruction only; everything else is in methods of its own, so that the
/// loop's variables stay in the machine's registers. Before anything that can fail or call, the frame gets the position.
/// </summary>
internal static class Interpreter
{
    /// <summary>
    /// Continues the newest frame of a thread until it returns to its caller outside of the loop; false if the thread yields.
    /// </summary>
    [SuppressMessage("Maintainability", "CA1502", Justification = "one case for each instruction")]
    public static bool Run(LuaThread thread)
    {
        LuaState state = thread.State;
        Resume:
        Frame frame = thread.CurrentFrame;
        LuaClosure closure = frame.Closure;
        Instruction[] code = closure.Prototype.Code;
        LuaValue[] constants = closure.Prototype.Constants;
        Span<LuaValue> r = thread.Stack.AsSpan(frame.Base, closure.Prototype.Registers);
        int pc = frame.Pc;
        while (true)
        {
            ref readonly Instruction i = ref code[pc++];
            switch (i.Opcode)
            {
                case Opcode.Move:
                    r[i.A] = r[i.B];
                    continue;
                case Opcode.LoadConstant:
                    r[i.A] = constants[i.C];
                    continue;
                case Opcode.LoadNil:
                    r.Slice(i.A, i.B + 1).Fill(LuaValue.Nil);
                    continue;
                case Opcode.LoadBoolean:
                    r[i.A] = LuaValue.Boolean(i.B != 0);
                    continue;
                case Opcode.GetUpvalue:
                    r[i.A] = closure.Upvalues[i.B].Value;
                    continue;
                case Opcode.SetUpvalue:
                    closure.Upvalues[i.B].Value = r[i.A];
                    continue;
                case Opcode.NewBox:
                    state.Heap.Charge(40);
                    r[i.A] = new LuaValue(new Box { Value = r[i.A] });
                    continue;
                case Opcode.GetBox:
                    r[i.A] = ((Box)r[i.B].Object!).Value;
                    continue;
                case Opcode.SetBox:
                    ((Box)r[i.A].Object!).Value = r[i.B];
                    continue;
                case Opcode.GetGlobal:
                    if (!closure.Environment.TryGetString((LuaString)constants[i.C].Object!, ref r[i.A]))
                    {
                        frame.Pc = pc;
                        r = Get(thread, frame, i.A, new LuaValue(closure.Environment), constants[i.C]);
                    }

                    continue;
                case Opcode.SetGlobal:
                    frame.Pc = pc;
                    r = Set(thread, frame, new LuaValue(closure.Environment), constants[i.C], r[i.A]);
                    continue;
                case Opcode.GetField:
                    if (r[i.B].Object is LuaTable fields && fields.TryGetString((LuaString)constants[i.C].Object!, ref r[i.A]))
                        continue;
                    frame.Pc = pc;
                    r = Get(thread, frame, i.A, r[i.B], constants[i.C]);
                    continue;
                case Opcode.GetIndex:
                    if (r[i.B].Object is LuaTable indexed)
                    {
                        ref LuaValue key = ref r[i.C];
                        if (key.Object is null)
                        {
                            int integer = (int)key.Number;
                            if (integer == key.Number && indexed.TryGetInteger(integer, ref r[i.A]))
                                continue;
                        }
                        else if (key.Object is LuaString text && indexed.TryGetString(text, ref r[i.A]))
                        {
                            continue;
                        }
                    }

                    frame.Pc = pc;
                    r = Get(thread, frame, i.A, r[i.B], r[i.C]);
                    continue;
                case Opcode.GetElement:
                    if (r[i.B].Object is LuaTable elements && elements.TryGetInteger(i.C, ref r[i.A]))
                        continue;
                    frame.Pc = pc;
                    r = Get(thread, frame, i.A, r[i.B], new LuaValue((double)i.C));
                    continue;
                case Opcode.SetField:
                    if (r[i.A].Object is LuaTable record && record.TrySetString((LuaString)constants[i.C].Object!, r[i.B]))
                        continue;
                    frame.Pc = pc;
                    r = Set(thread, frame, r[i.A], constants[i.C], r[i.B]);
                    continue;
                case Opcode.SetIndex:
                    if (r[i.A].Object is LuaTable target)
                    {
                        ref LuaValue place = ref r[i.B];
                        if (place.Object is null)
                        {
                            int integer = (int)place.Number;
                            if (integer == place.Number && target.TrySetElement(integer, r[i.C]))
                                continue;
                        }
                        else if (place.Object is LuaString text && target.TrySetString(text, r[i.C]))
                        {
                            continue;
                        }
                    }

                    frame.Pc = pc;
                    r = Set(thread, frame, r[i.A], r[i.B], r[i.C]);
                    continue;
                case Opcode.SetElement:
                    if (r[i.A].Object is LuaTable list && list.TrySetElement(i.C, r[i.B]))
                        continue;
                    frame.Pc = pc;
                    r = Set(thread, frame, r[i.A], new LuaValue((double)i.C), r[i.B]);
                    continue;
                case Opcode.NewTable:
                    frame.Pc = pc;
                    r[i.A] = new LuaValue(state.Heap.NewTable(TableSize.Decode(i.B), i.C));
                    continue;
                case Opcode.SetList:
                    frame.Pc = pc;
                    SetList(thread, frame, i);
                    continue;
                case Opcode.Self:
                {
                    LuaValue self = r[i.B];
                    r[i.A + 1] = self;
                    if (self.Object is LuaTable methods && methods.TryGetString((LuaString)constants[i.C].Object!, ref r[i.A]))
                        continue;
                    frame.Pc = pc;
                    r = Get(thread, frame, i.A, self, constants[i.C]);
                    continue;
                }

                case Opcode.Add:
                    if (r[i.B].Object is null && r[i.C].Object is null)
                        r[i.A].SetNumber(r[i.B].Number + r[i.C].Number);
                    else
                        goto Arithmetic;
                    continue;
                case Opcode.Subtract:
                    if (r[i.B].Object is null && r[i.C].Object is null)
                        r[i.A].SetNumber(r[i.B].Number - r[i.C].Number);
                    else
                        goto Arithmetic;
                    continue;
                case Opcode.Multiply:
                    if (r[i.B].Object is null && r[i.C].Object is null)
                        r[i.A].SetNumber(r[i.B].Number * r[i.C].Number);
                    else
                        goto Arithmetic;
                    continue;
                case Opcode.Divide:
                    if (r[i.B].Object is null && r[i.C].Object is null)
                        r[i.A].SetNumber(r[i.B].Number / r[i.C].Number);
                    else
                        goto Arithmetic;
                    continue;
                case Opcode.Modulo:
                    if (r[i.B].Object is null && r[i.C].Object is null)
                        r[i.A].SetNumber(r[i.B].Number - (Math.Floor(r[i.B].Number / r[i.C].Number) * r[i.C].Number));
                    else
                        goto Arithmetic;
                    continue;
                case Opcode.Power:
                    Arithmetic:
                    frame.Pc = pc;
                    r = Compute(thread, frame, (MetaEvent)(i.Opcode - Opcode.Add), i.A, r[i.B], r[i.C]);
                    continue;
                case Opcode.AddConstant:
                    if (r[i.B].Object is null)
                        r[i.A].SetNumber(r[i.B].Number + constants[i.C].Number);
                    else
                        goto ArithmeticConstant;
                    continue;
                case Opcode.SubtractConstant:
                    if (r[i.B].Object is null)
                        r[i.A].SetNumber(r[i.B].Number - constants[i.C].Number);
                    else
                        goto ArithmeticConstant;
                    continue;
                case Opcode.MultiplyConstant:
                    if (r[i.B].Object is null)
                        r[i.A].SetNumber(r[i.B].Number * constants[i.C].Number);
                    else
                        goto ArithmeticConstant;
                    continue;
                case Opcode.DivideConstant:
                    if (r[i.B].Object is null)
                        r[i.A].SetNumber(r[i.B].Number / constants[i.C].Number);
                    else
                        goto ArithmeticConstant;
                    continue;
                case Opcode.ModuloConstant:
                    if (r[i.B].Object is null)
                        r[i.A].SetNumber(r[i.B].Number - (Math.Floor(r[i.B].Number / constants[i.C].Number) * constants[i.C].Number));
                    else
                        goto ArithmeticConstant;
                    continue;
                case Opcode.PowerConstant:
                    ArithmeticConstant:
                    frame.Pc = pc;
                    r = Compute(thread, frame, (MetaEvent)(i.Opcode - Opcode.AddConstant), i.A, r[i.B], constants[i.C]);
                    continue;
                case Opcode.Negate:
                    if (r[i.B].Object is null)
                    {
                        r[i.A].SetNumber(-r[i.B].Number);
                        continue;
                    }

                    frame.Pc = pc;
                    r = Compute(thread, frame, MetaEvent.Negate, i.A, r[i.B], r[i.B]);
                    continue;
                case Opcode.Not:
                    r[i.A] = LuaValue.Boolean(!r[i.B].IsTruthy);
                    continue;
                case Opcode.Length:
                    frame.Pc = pc;
                    r = Length(thread, frame, i.A, r[i.B]);
                    continue;
                case Opcode.Concatenate:
                    frame.Pc = pc;
                    r = Concatenate(thread, frame, i);
                    continue;
                case Opcode.Jump:
                    pc = i.C;
                    continue;
                case Opcode.JumpBack:
                    state.Budget -= pc - i.C;
                    pc = i.C;
                    if (state.Budget < 0)
                        goto Interval;
                    continue;
                case Opcode.JumpIfTrue:
                    if (r[i.A].IsTruthy)
                        pc = i.C;
                    continue;
                case Opcode.JumpIfFalse:
                    if (!r[i.A].IsTruthy)
                        pc = i.C;
                    continue;
                case Opcode.JumpEqual:
                case Opcode.JumpNotEqual:
                {
                    bool equal;
                    if (r[i.A].Object is null && r[i.B].Object is null)
                    {
                        equal = r[i.A].Number == r[i.B].Number;
                    }
                    else
                    {
                        frame.Pc = pc;
                        equal = Operations.Equal(thread, r[i.A], r[i.B]);
                        r = Registers(thread, frame);
                    }

                    if (equal == (i.Opcode == Opcode.JumpEqual))
                        pc = i.C;
                    continue;
                }

                case Opcode.JumpEqualConstant:
                    if (LuaValue.RawEquals(r[i.A], constants[i.B]))
                        pc = i.C;
                    continue;
                case Opcode.JumpNotEqualConstant:
                    if (!LuaValue.RawEquals(r[i.A], constants[i.B]))
                        pc = i.C;
                    continue;
                case Opcode.JumpLess:
                case Opcode.JumpNotLess:
                {
                    bool less;
                    if (r[i.A].Object is null && r[i.B].Object is null)
                    {
                        less = r[i.A].Number < r[i.B].Number;
                    }
                    else
                    {
                        frame.Pc = pc;
                        less = Operations.Less(thread, r[i.A], r[i.B]);
                        r = Registers(thread, frame);
                    }

                    if (less == (i.Opcode == Opcode.JumpLess))
                        pc = i.C;
                    continue;
                }

                case Opcode.JumpLessEqual:
                case Opcode.JumpNotLessEqual:
                {
                    bool lessEqual;
                    if (r[i.A].Object is null && r[i.B].Object is null)
                    {
                        lessEqual = r[i.A].Number <= r[i.B].Number;
                    }
                    else
                    {
                        frame.Pc = pc;
                        lessEqual = Operations.LessEqual(thread, r[i.A], r[i.B]);
                        r = Registers(thread, frame);
                    }

                    if (lessEqual == (i.Opcode == Opcode.JumpLessEqual))
                        pc = i.C;
                    continue;
                }

                case Opcode.JumpLessConstant:
                case Opcode.JumpNotLessConstant:
                    if (r[i.A].Object is null)
                    {
                        if (r[i.A].Number < constants[i.B].Number == (i.Opcode == Opcode.JumpLessConstant))
                            pc = i.C;
                        continue;
                    }

                    goto CompareConstant;
                case Opcode.JumpLessEqualConstant:
                case Opcode.JumpNotLessEqualConstant:
                    if (r[i.A].Object is null)
                    {
                        if (r[i.A].Number <= constants[i.B].Number == (i.Opcode == Opcode.JumpLessEqualConstant))
                            pc = i.C;
                        continue;
                    }

                    goto CompareConstant;
                case Opcode.JumpGreaterConstant:
                case Opcode.JumpNotGreaterConstant:
                    if (r[i.A].Object is null)
                    {
                        if (r[i.A].Number > constants[i.B].Number == (i.Opcode == Opcode.JumpGreaterConstant))
                            pc = i.C;
                        continue;
                    }

                    goto CompareConstant;
                case Opcode.JumpGreaterEqualConstant:
                case Opcode.JumpNotGreaterEqualConstant:
                    if (r[i.A].Object is null)
                    {
                        if (r[i.A].Number >= constants[i.B].Number == (i.Opcode == Opcode.JumpGreaterEqualConstant))
                            pc = i.C;
                        continue;
                    }

                    CompareConstant:
                    frame.Pc = pc;
                    if (CompareConstant(thread, i.Opcode, r[i.A], constants[i.B]))
                        pc = i.C;
                    r = Registers(thread, frame);
                    continue;
                case Opcode.Call:
                {
                    frame.Pc = pc;
                    int function = frame.Base + i.A;
                    int arguments = i.B != 0 ? i.B - 1 : thread.Top - function - 1;
                    object? called = r[i.A].Object;
                    if (called is LuaClosure compiled)
                    {
                        thread.Enter(compiled, function, arguments, i.C - 1, FrameCaller.Code);
                        if (--state.Budget < 0)
                            state.OnBudgetSpent();
                        goto Resume;
                    }

                    if (called is LuaNative native)
                    {
                        if (!thread.CallNative(native, function, arguments, i.C - 1))
                            return Yield(thread, frame, function, i.C - 1);
                        r = Registers(thread, frame);
                        if (i.C != 0)
                            thread.Top = frame.Base + r.Length;
                        continue;
                    }

                    arguments += thread.InsertCallMetamethod(function, arguments);
                    thread.Top = function + 1 + arguments;
                    if (CallInserted(thread, function, arguments, i.C - 1))
                        goto Resume;
                    r = Registers(thread, frame);
                    if (i.C != 0)
                        thread.Top = frame.Base + r.Length;
                    continue;
                }

                case Opcode.TailCall:
                {
                    frame.Pc = pc;
                    int function = frame.Base + i.A;
                    int arguments = i.B != 0 ? i.B - 1 : thread.Top - function - 1;
                    if (TailCall(thread, frame, function, arguments))
                    {
                        if (--state.Budget < 0)
                            state.OnBudgetSpent();
                        goto Resume;
                    }

                    // What it called was no compiled function: the next instruction returns the results, if it has not yielded.
                    if (thread.Status == CoroutineStatus.Suspended)
                        return false;
                    r = Registers(thread, frame);
                    continue;
                }

                case Opcode.Return:
                    if (Return(thread, frame, frame.Base + i.A, i.B != 0 ? i.B - 1 : thread.Top - frame.Base - i.A))
                        return true;
                    goto Resume;
                case Opcode.ReturnNothing:
                    if (Return(thread, frame, 0, 0))
                        return true;
                    goto Resume;
                case Opcode.ReturnOne:
                    if (frame.Wanted == 1 && frame.Caller == FrameCaller.Code)
                    {
                        thread.Stack[frame.Function] = r[i.A];
                        thread.PopFrame();
                        frame = thread.CurrentFrame;
                        thread.Top = frame.Base + frame.Closure.Prototype.Registers;
                        goto Resume;
                    }

                    if (Return(thread, frame, frame.Base + i.A, 1))
                        return true;
                    goto Resume;
                case Opcode.ForPrepare:
                    frame.Pc = pc;
                    PrepareFor(thread, r.Slice(i.A, 3));
                    pc = i.C;
                    continue;
                case Opcode.ForLoop:
                {
                    Span<LuaValue> loop = r.Slice(i.A, 4);
                    double step = loop[2].Number;
                    double next = loop[0].Number + step;
                    if (step > 0 ? next <= loop[1].Number : loop[1].Number <= next)
                    {
                        loop[0].Number = next;
                        loop[3].SetNumber(next);
                        state.Budget -= pc - i.C;
                        pc = i.C;
                        if (state.Budget < 0)
                            goto Interval;
                    }

                    continue;
                }

                case Opcode.ForCall:
                {
                    frame.Pc = pc;
                    r.Slice(i.A, 3).CopyTo(r[(i.A + 3)..]);
                    int function = frame.Base + i.A + 3;
                    if (r[i.A].Object is LuaClosure iterator)
                    {
                        thread.Enter(iterator, function, 2, i.C, FrameCaller.Code);
                        goto Resume;
                    }

                    if (r[i.A].Object is LuaNative native)
                    {
                        // In Lua 5.1 this is a call through the machine's stack, so it counts as one and cannot yield.
                        state.EnterNested();
                        thread.CallNative(native, function, 2, i.C);
                        state.LeaveNested();
                    }
                    else if (CallInserted(thread, function, 2 + thread.InsertCallMetamethod(function, 2), i.C))
                    {
                        goto Resume;
                    }

                    r = Registers(thread, frame);
                    thread.Top = frame.Base + r.Length;
                    continue;
                }

                case Opcode.ForNext:
                    if (!r[i.A + 3].IsNil)
                    {
                        r[i.A + 2] = r[i.A + 3];
                        state.Budget -= pc - i.C;
                        pc = i.C;
                        if (state.Budget < 0)
                            goto Interval;
                    }

                    continue;
                case Opcode.Closure:
                    r[i.A] = new LuaValue(NewClosure(state, closure, closure.Prototype.Nested[i.C], r));
                    continue;
                case Opcode.Vararg:
                    r = CopyExtra(thread, frame, i);
                    continue;
                case Opcode.ArgumentTable:
                    frame.Pc = pc;
                    MakeArgumentTable(thread, frame, i.A);
                    continue;
                default:
                    throw new InvalidOperationException("unknown instruction");
            }

            Interval:
            frame.Pc = pc;
            state.OnBudgetSpent();
        }
    }

    private static Span<LuaValue> Registers(LuaThread thread, Frame frame) =>
        thread.Stack.AsSpan(frame.Base, frame.Closure.Prototype.Registers);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static Span<LuaValue> Get(LuaThread thread, Frame frame, int target, LuaValue value, LuaValue key)
    {
        LuaValue result = Operations.Index(thread, value, key);
        thread.Stack[frame.Base + target] = result;
        return Registers(thread, frame);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static Span<LuaValue> Set(LuaThread thread, Frame frame, LuaValue target, LuaValue key, LuaValue value)
    {
        Operations.SetIndex(thread, target, key, value);
        return Registers(thread, frame);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static Span<LuaValue> Compute(LuaThread thread, Frame frame, MetaEvent operation, int target, LuaValue left, LuaValue right)
    {
        LuaValue result = Operations.Arithmetic(thread, operation, left, right);
        thread.Stack[frame.Base + target] = result;
        return Registers(thread, frame);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static Span<LuaValue> Length(LuaThread thread, Frame frame, int target, LuaValue value)
    {
        LuaValue result = Operations.Length(thread, value);
        thread.Stack[frame.Base + target] = result;
        return Registers(thread, frame);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static Span<LuaValue> Concatenate(LuaThread thread, Frame frame, Instruction i)
    {
        LuaValue result = Operations.Concatenate(thread, frame.Base + i.B, i.C);
        thread.Stack[frame.Base + i.A] = result;
        return Registers(thread, frame);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static bool CompareConstant(LuaThread thread, Opcode opcode, LuaValue value, LuaValue constant) =>
        opcode switch
        {
            Opcode.JumpLessConstant => Operations.Less(thread, value, constant),
            Opcode.JumpNotLessConstant => !Operations.Less(thread, value, constant),
            Opcode.JumpLessEqualConstant => Operations.LessEqual(thread, value, constant),
            Opcode.JumpNotLessEqualConstant => !Operations.LessEqual(thread, value, constant),
            Opcode.JumpGreaterConstant => Operations.Less(thread, constant, value),
            Opcode.JumpNotGreaterConstant => !Operations.Less(thread, constant, value),
            Opcode.JumpGreaterEqualConstant => Operations.LessEqual(thread, constant, value),
            _ => !Operations.LessEqual(thread, constant, value),
        };

    // Calls a value by its metamethod; true if that is compiled code, whose frame is then the newest.
    private static bool CallInserted(LuaThread thread, int function, int arguments, int wanted)
    {
        if (thread.Stack[function].Object is LuaClosure closure)
        {
            thread.Enter(closure, function, arguments, wanted, FrameCaller.Code);
            return true;
        }

        if (!thread.CallNative((LuaNative)thread.Stack[function].Object!, function, arguments, wanted))
            throw thread.PlainError("attempt to yield across metamethod/C-call boundary");
        return false;
    }

    private static bool TailCall(LuaThread thread, Frame frame, int function, int arguments)
    {
        if (thread.Stack[function].Object is not (LuaClosure or LuaNative))
        {
            arguments += thread.InsertCallMetamethod(function, arguments);
            thread.Top = function + 1 + arguments;
        }

        if (thread.Stack[function].Object is LuaNative native)
        {
            if (!thread.CallNative(native, function, arguments, -1))
                Yield(thread, frame, function, -1);
            return false;
        }

        int tailCalls = frame.TailCalls + 1;
        int target = frame.Function;
        thread.Stack.AsSpan(function, arguments + 1).CopyTo(thread.Stack.AsSpan(target));
        thread.PopFrame();
        thread.Enter((LuaClosure)thread.Stack[target].Object!, target, arguments, frame.Wanted, frame.Caller);
        frame.TailCalls = tailCalls;
        return true;
    }

    // Ends the newest frame; true if its caller is outside of the loop.
    private static bool Return(LuaThread thread, Frame frame, int first, int count)
    {
        thread.PopFrame();
        thread.PlaceResults(frame.Function, first, count, frame.Wanted);
        if (frame.Caller != FrameCaller.Code)
            return true;
        if (frame.Wanted >= 0)
        {
            Frame caller = thread.CurrentFrame;
            thread.Top = caller.Base + caller.Closure.Prototype.Registers;
        }

        return false;
    }

    // The values to be yielded are at the top; those that the next resume brings will replace the call.
    private static bool Yield(LuaThread thread, Frame frame, int function, int wanted)
    {
        thread.Status = CoroutineStatus.Suspended;
        frame.Yielded = function;
        frame.YieldWanted = wanted;
        return false;
    }

    private static void SetList(LuaThread thread, Frame frame, Instruction i)
    {
        int first = frame.Base + i.A;
        int count = i.B != 0 ? i.B : thread.Top - first - 1;
        var table = (LuaTable)thread.Stack[first].Object!;
        table.ReserveElements(i.C + count);
        thread.State.CountWork(count >> 1);
        for (int n = 1; n <= count; n++)
            table.Set(i.C + n, thread.Stack[first + n]);
        thread.Top = frame.Base + frame.Closure.Prototype.Registers;
    }

    private static void PrepareFor(LuaThread thread, Span<LuaValue> loop)
    {
        for (int n = 0; n < 3; n++)
        {
            if (loop[n].IsNumber)
                continue;
            if (!Operations.TryToNumber(thread.State, loop[n], out double number))
                throw thread.Error($"'for' {(n == 0 ? "initial value" : n == 1 ? "limit" : "step")} must be a number");
            loop[n].SetNumber(number);
        }

        loop[0].Number -= loop[2].Number;
    }

    private static LuaClosure NewClosure(LuaState state, LuaClosure enclosing, Prototype prototype, Span<LuaValue> registers)
    {
        int[] captures = prototype.Captures;
        state.Heap.Charge(64 + (8 * captures.Length));
        Box[] boxes = captures.Length == 0 ? [] : new Box[captures.Length];
        for (int n = 0; n < captures.Length; n++)
            boxes[n] = captures[n] >= 0 ? (Box)registers[captures[n]].Object! : enclosing.Upvalues[~captures[n]];
        return new LuaClosure(prototype, boxes, enclosing.Environment);
    }

    private static Span<LuaValue> CopyExtra(LuaThread thread, Frame frame, Instruction i)
    {
        int target = frame.Base + i.A;
        int count = i.B != 0 ? i.B - 1 : frame.Extra;
        thread.EnsureStack(target + count);
        int given = Math.Min(count, frame.Extra);
        if (count > LuaThread.ManyValues)
            thread.State.ChargeInstructions(count >> 3);
        thread.Stack.AsSpan(frame.Base - frame.Extra, given).CopyTo(thread.Stack.AsSpan(target));
        thread.Stack.AsSpan(target + given, count - given).Fill(LuaValue.Nil);
        if (i.B == 0)
            thread.Top = target + count;
        return Registers(thread, frame);
    }

    private static void MakeArgumentTable(LuaThread thread, Frame frame, int target)
    {
        LuaTable table = thread.State.Heap.NewTable(frame.Extra, 1);
        for (int n = 1; n <= frame.Extra; n++)
            table.Set(n, thread.Stack[frame.Base - frame.Extra + n - 1]);
        table.Set("n", new LuaValue((double)frame.Extra));
        thread.Stack[frame.Base + target] = new LuaValue(table);
    }
}
