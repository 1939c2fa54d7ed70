// Coroutines. Stateless; the functions run on the thread that runs the state.
using Garnet.Lua.Execution;
using Garnet.Lua.Values;

namespace Garnet.Lua.Libraries;

/// <summary>create, resume, running, status, wrap and yield. A coroutine is a stack of its own, not a thread of the machine.</summary>
internal static class CoroutineLibrary
{
    private const int ThreadBytes = 1500;
    private const int WrapBytes = 250;

    public static LuaTable Create() =>
        NativeTable.Create(
            ("create", static call => call.Return(new LuaValue(NewThread(call)))),
            ("resume", ResumeCall),
            (
                "running",
                static call => call.Return(ReferenceEquals(call.Thread, call.State.Main) ? LuaValue.Nil : new LuaValue(call.Thread))
            ),
            ("status", static call => call.Return(StatusOf(CheckThread(call)))),
            ("wrap", Wrap),
            ("yield", Yield)
        );

    private static LuaThread NewThread(NativeCall call)
    {
        if (call[1].Object is not LuaClosure)
            throw call.ArgumentError(1, "Lua function expected");
        call.State.Heap.Charge(ThreadBytes);
        var thread = new LuaThread(call.State);
        thread.Push(call[1]);
        return thread;
    }

    private static LuaThread CheckThread(NativeCall call) =>
        call[1].Object as LuaThread ?? throw call.ArgumentError(1, "coroutine expected");

    private static string StatusOf(LuaThread thread) =>
        thread.Status switch
        {
            CoroutineStatus.Suspended => "suspended",
            CoroutineStatus.Running => "running",
            CoroutineStatus.Normal => "normal",
            _ => "dead",
        };

    private static int ResumeCall(NativeCall call)
    {
        LuaThread thread = CheckThread(call);
        if (!TryResume(call, thread, 2, out int count, out LuaValue error))
        {
            call.Return(false);
            call.Thread.Push(error);
            return 2;
        }

        call.Return(true);
        return MoveResults(call.Thread, thread, count) + 1;
    }

    private static int Wrap(NativeCall call)
    {
        LuaThread thread = NewThread(call);
        call.State.Heap.Charge(WrapBytes);
        return call.Return(
            new LuaValue(
                new LuaNative(
                    "wrap",
                    inner =>
                    {
                        if (TryResume(inner, thread, 1, out int count, out LuaValue error))
                            return MoveResults(inner.Thread, thread, count);
                        if (error.Object is LuaString text)
                            error = new LuaValue(inner.State.Heap.NewString(inner.Thread.Position(1), text.Span));
                        throw new LuaException(error);
                    },
                    thread
                )
                {
                    OwnBytes = WrapBytes,
                }
            )
        );
    }

    private static int Yield(NativeCall call)
    {
        LuaThread thread = call.Thread;
        if (ReferenceEquals(thread, call.State.Main) || call.State.Nesting != thread.ResumedAt || thread.NativeCaller != FrameCaller.Code)
            throw call.Thread.PlainError("attempt to yield across metamethod/C-call boundary");
        thread.Top = call.First + call.Count;
        thread.YieldCount = call.Count;
        return -1;
    }

    private static bool TryResume(NativeCall call, LuaThread thread, int firstArgument, out int count, out LuaValue error)
    {
        LuaState state = call.State;
        LuaThread resumer = call.Thread;
        count = 0;
        error = default;
        if (thread.Status != CoroutineStatus.Suspended)
        {
            error = new LuaValue(state.Heap.NewString($"cannot resume {StatusOf(thread)} coroutine"));
            return false;
        }

        int arguments = Math.Max(0, call.Count - firstArgument + 1);
        bool isNew = thread.FrameCount == 0;
        int nesting = state.Nesting;
        int builders = state.Builders.RentedCount;
        int top = thread.Top;
        state.ChargeInstructions(10 + (arguments >> 2));
        for (int i = 0; i < arguments; i++)
            thread.Push(call[firstArgument + i]);
        thread.Status = CoroutineStatus.Running;
        resumer.Status = CoroutineStatus.Normal;
        thread.Resumer = resumer;
        state.Current = thread;
        try
        {
            state.EnterNested();
            thread.ResumedAt = state.Nesting;
            if (isNew)
                thread.Enter((LuaClosure)thread.Stack[top - 1].Object!, top - 1, arguments, -1, FrameCaller.Native);
            else
                PlaceYielded(thread, top, arguments);
            bool ended = Interpreter.Run(thread);
            count = ended ? thread.Top : thread.YieldCount;
            thread.Status = ended ? CoroutineStatus.Dead : CoroutineStatus.Suspended;
            return true;
        }
        catch (LuaException e)
        {
            thread.Status = CoroutineStatus.Dead;
            error = e.Value;
            state.Builders.Unwind(builders);
            ProtectedCall.ChargeCatch(state, state.Nesting - nesting);
            return false;
        }
        finally
        {
            state.UnwindNesting(nesting);
            state.Current = resumer;
            resumer.Status = CoroutineStatus.Running;
            thread.Resumer = null;
            thread.NativeCaller = FrameCaller.Code;
        }
    }

    // What resume brings becomes the results of the call that yielded.
    private static void PlaceYielded(LuaThread thread, int source, int count)
    {
        Frame frame = thread.CurrentFrame;
        thread.PlaceResults(frame.Yielded, source, count, frame.YieldWanted);
        if (frame.YieldWanted >= 0)
            thread.Top = frame.Base + frame.Closure.Prototype.Registers;
    }

    private static int MoveResults(LuaThread target, LuaThread source, int count)
    {
        target.State.CountWork(count >> 2);
        target.EnsureStack(target.Top + count);
        for (int i = 0; i < count; i++)
            target.Push(source.Stack[source.Top - count + i]);
        source.Top -= count;
        return count;
    }
}
