// Calls that catch errors. Stateless; the functions run on the thread that runs the state.
using Garnet.Lua.Execution;
using Garnet.Lua.Values;

namespace Garnet.Lua.Libraries;

/// <summary>pcall and xpcall: after an error the frames and the nesting of calls are as before.</summary>
internal static class ProtectedCall
{
    // What it costs to throw and catch, and to leave a call of the machine's stack on the way.
    private const int CatchInstructions = 1500;
    private const int InstructionsPerLevel = 500;

    private static readonly LuaString ErrorField = LibraryNames.Get("err");

    /// <summary>
    /// pcall(f, ...): true and the results, or false and the error; of an error table with a text in the field err only that text, of any
    /// other the table and the field, as in Valkey.
    /// </summary>
    public static int Call(NativeCall call)
    {
        call.CheckAny(1);
        LuaThread thread = call.Thread;
        thread.Top = call.First + call.Count;
        if (!TryCall(thread, call.First, call.Count - 1, out LuaValue error))
        {
            LuaValue field = error.Object is LuaTable ? Operations.Index(thread, error, new LuaValue(ErrorField)) : default;
            bool isText = error.Object is LuaTable && field.Object is null or LuaString;
            thread.Push(LuaValue.False);
            thread.Push(isText ? field : error);
            if (isText || error.Object is not LuaTable)
                return 2;
            thread.Push(field);
            return 3;
        }

        return WithStatus(thread, call.First);
    }

    /// <summary>xpcall(f, handler): true and the results, or false and the first result of the handler.</summary>
    public static int CallWithHandler(NativeCall call)
    {
        LuaValue handler = call.CheckAny(2);
        LuaThread thread = call.Thread;
        int function = thread.Top;
        thread.Push(call[1]);
        if (TryCall(thread, function, 0, out LuaValue error))
            return WithStatus(thread, function);
        thread.Push(LuaValue.False);
        int position = thread.Top;
        thread.Push(handler);
        thread.Push(error);
        if (!TryCall(thread, position, 1, out LuaValue _))
        {
            thread.Top = position;
            thread.Push(new LuaValue(thread.State.Heap.NewString("error in error handling")));
            return 2;
        }

        if (thread.Top == position)
            thread.Push(LuaValue.Nil);
        thread.Top = position + 1;
        return 2;
    }

    /// <summary>Calls the function at a position for all its results; false after an error, with the stack as before the call.</summary>
    public static bool TryCall(LuaThread thread, int function, int arguments, out LuaValue error)
    {
        int frames = thread.FrameCount;
        int nesting = thread.State.Nesting;
        FrameCaller caller = thread.NativeCaller;
        LuaState state = thread.State;
        int builders = state.Builders.RentedCount;
        try
        {
            thread.Call(function, arguments, -1, FrameCaller.Native);
            error = default;
            return true;
        }
        catch (LuaException e)
        {
            error = e.Value;
        }

        int levels = state.Nesting - nesting;
        thread.Unwind(frames, function);
        thread.NativeCaller = caller;
        state.UnwindNesting(nesting);
        state.Builders.Unwind(builders);
        ChargeCatch(state, levels);
        return false;
    }

    /// <summary>Counts a caught error, which takes as long as a thousand instructions and more.</summary>
    /// <param name="state">The state.</param>
    /// <param name="levels">The calls through the machine's stack that the error ended.</param>
    public static void ChargeCatch(LuaState state, int levels) =>
        state.ChargeInstructions(CatchInstructions + (Math.Max(0, levels) * InstructionsPerLevel));

    // The results lie between the function's position and the top; true goes in front.
    private static int WithStatus(LuaThread thread, int first)
    {
        int count = thread.Top - first;
        thread.EnsureStack(thread.Top + 1);
        thread.Stack.AsSpan(first, count).CopyTo(thread.Stack.AsSpan(first + 1));
        thread.Stack[first] = LuaValue.True;
        thread.Top++;
        return count + 1;
    }
}
