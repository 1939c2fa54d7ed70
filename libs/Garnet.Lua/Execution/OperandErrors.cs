// Errors of operations on values of the wrong type. Stateless; any thread.
using System.Text;
using Garnet.Lua.Values;

namespace Garnet.Lua.Execution;

/// <summary>Builds messages that name the operand as the source does, such as <c>attempt to index local 'x' (a nil value)</c>.</summary>
internal static class OperandErrors
{
    /// <summary>The operand that stands for the called function, the indexed value, or the left side of an operator.</summary>
    public const int First = 0;

    public const int Second = 1;

    /// <summary>The function of a generic loop: it has a name in messages about its arguments only.</summary>
    public const int Iterator = -1;

    public static LuaException Call(LuaThread thread, in LuaValue called) => Error(thread, "call", called, First);

    public static LuaException Index(LuaThread thread, in LuaValue indexed) => Error(thread, "index", indexed, First);

    /// <summary>An arithmetic operator: the first operand that is no number is the culprit.</summary>
    public static LuaException Arithmetic(LuaThread thread, in LuaValue left, in LuaValue right) =>
        NumberText.TryConvert(left, out _)
            ? Error(thread, "perform arithmetic on", right, Second)
            : Error(thread, "perform arithmetic on", left, First);

    public static LuaException Concatenate(LuaThread thread, in LuaValue culprit, int operand) =>
        Error(thread, "concatenate", culprit, operand);

    public static LuaException Length(LuaThread thread, in LuaValue value) => Error(thread, "get length of", value, First);

    public static LuaException Compare(LuaThread thread, in LuaValue left, in LuaValue right)
    {
        string first = TypeName(left);
        string second = TypeName(right);
        return thread.Error(first == second ? $"attempt to compare two {first} values" : $"attempt to compare {first} with {second}");
    }

    public static string TypeName(in LuaValue value) =>
        value.Type switch
        {
            LuaType.Nil => "nil",
            LuaType.Boolean => "boolean",
            LuaType.Number => "number",
            LuaType.String => "string",
            LuaType.Table => "table",
            LuaType.Function => "function",
            LuaType.Thread => "thread",
            _ => "userdata",
        };

    /// <summary>What the code that runs calls the function that it is calling; null if it has no name.</summary>
    public static OperandName? CalledFunction(LuaThread thread) =>
        thread.NativeCaller == FrameCaller.Code ? NameOf(thread, First) ?? NameOf(thread, Iterator) : null;

    private static LuaException Error(LuaThread thread, string operation, in LuaValue value, int operand)
    {
        StringBuilder message = new StringBuilder("attempt to ").Append(operation).Append(' ');
        if (thread.NativeCaller == FrameCaller.Code && NameOf(thread, operand) is { } name)
            message.Append(name.KindText).Append(" '").Append(name.Name).Append("' (a ").Append(TypeName(value)).Append(" value)");
        else
            message.Append("a ").Append(TypeName(value)).Append(" value");
        return thread.Error(message.ToString());
    }

    private static OperandName? NameOf(LuaThread thread, int operand)
    {
        if (thread.FrameCount == 0)
            return null;
        Frame frame = thread.CurrentFrame;
        Prototype code = frame.Closure.Prototype;
        thread.State.CountWork(code.Names.Bytes >> 2);
        return code.Names.Find(frame.Pc - 1, operand, code.Constants);
    }
}
