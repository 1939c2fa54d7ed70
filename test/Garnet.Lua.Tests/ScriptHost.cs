// Runs scripts as the server does. One thread.
using System.Text;
using Garnet.Lua.Compilation;
using Garnet.Lua.Execution;
using Garnet.Lua.Libraries;
using Garnet.Lua.Values;

namespace Garnet.Lua.Tests;

/// <summary>One state for all scripts: read-only tables, an error for unknown global variables, and objects that are used again.</summary>
internal sealed class ScriptHost
{
    private readonly LuaState _state = new();

    public ScriptHost()
    {
        StandardLibraries.AddTo(_state);
        _state.Globals.Metatable = NativeTable.Create(
            ("__index", static call => throw call.Error($"Script attempted to access nonexistent global variable '{call.CheckString(2)}'"))
        );
        ReadOnlyTables.Protect(_state.Globals);
        ReadOnlyTables.Protect(_state.StringMetatable!);
        _state.Heap.Limit = new(null, 64 << 20);
    }

    /// <summary>What a script returns, or its error.</summary>
    public string Run(byte[] source)
    {
        try
        {
            Prototype code = LuaCompiler.Compile(source, "@user_script");
            LuaValue result = _state.Run(new LuaValue(_state.Load(code)), []);
            return result.Object is LuaString text ? text.ToString() : $"a {OperandErrors.TypeName(result)}";
        }
        catch (LuaSyntaxException e)
        {
            return "-ERR Error compiling script (new function): " + e.Message;
        }
        catch (LuaException e)
        {
            return $"-ERR {e.Message}{Position()}";
        }
        finally
        {
            _state.End(leftNothing: true);
        }
    }

    private string Position()
    {
        if (_state.Main.FrameCount == 0)
            return "";
        Frame frame = _state.Main.CurrentFrame;
        Prototype code = frame.Closure.Prototype;
        return new StringBuilder(" on @").Append(code.Source).Append(':').Append(code.Lines[Math.Max(0, frame.Pc - 1)]).ToString();
    }
}
