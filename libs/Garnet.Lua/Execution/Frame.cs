// An active call of a script's function. Used by the thread that runs the state.
using Garnet.Lua.Values;

namespace Garnet.Lua.Execution;

/// <summary>What the interpreter needs to continue a function and to return from it.</summary>
internal sealed class Frame
{
    public LuaClosure Closure = null!;

    /// <summary>Where the function value is and where its results go.</summary>
    public int Function;

    /// <summary>The stack position of its first register.</summary>
    public int Base;

    /// <summary>The next instruction.</summary>
    public int Pc;

    /// <summary>The number of results that the caller expects; -1: all.</summary>
    public int Wanted;

    /// <summary>The number of extra arguments, which lie below the first register.</summary>
    public int Extra;

    /// <summary>How many calls before this one were replaced by tail calls.</summary>
    public int TailCalls;

    /// <summary>Who called it.</summary>
    public FrameCaller Caller;

    /// <summary>Where the call that yielded gets its results, and how many are wanted.</summary>
    public int Yielded;

    public int YieldWanted;
}
