// Errors of scripts. Used by the thread that runs the state.
using System.Diagnostics.CodeAnalysis;
using Garnet.Lua.Values;

namespace Garnet.Lua.Execution;

/// <summary>An error that a script can catch, with any value.</summary>
[SuppressMessage("Design", "CA1032", Justification = "an error without a value does not exist")]
internal sealed class LuaException : Exception
{
    public LuaException(LuaValue value) => Value = value;

    public LuaException(string message)
        : base(message) => Value = new LuaValue(new LuaString(message));

    public LuaValue Value { get; }

    public override string Message => Value.Object is LuaString text ? text.ToString() : $"(error object is a {Value.Type} value)";
}
