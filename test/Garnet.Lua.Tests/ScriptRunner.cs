// Runs Lua source and collects what it prints. One thread for each run.
using System.Text;
using Garnet.Lua.Compilation;
using Garnet.Lua.Execution;
using Garnet.Lua.Libraries;
using Garnet.Lua.Values;

namespace Garnet.Lua.Tests;

/// <summary>A state with all libraries and a print function, as the standalone interpreter offers it.</summary>
internal sealed class ScriptRunner
{
    private readonly StringBuilder _output = new();

    public ScriptRunner()
    {
        StandardLibraries.AddTo(State);
        State.Heap.Limit = new(null, 64 << 20);
        State.Globals.Set("print", new LuaValue(new LuaNative("print", Print)));
    }

    public LuaState State { get; } = new();

    public string Output => _output.ToString();

    /// <summary>Runs a chunk for its first result.</summary>
    public LuaValue Run(string source, string name = "=script") => Run(Encoding.Latin1.GetBytes(source), name);

    public LuaValue Run(ReadOnlySpan<byte> source, string name)
    {
        Prototype chunk = LuaCompiler.Compile(source, name);
        return State.Run(new LuaValue(State.Load(chunk)), []);
    }

    /// <summary>Runs a chunk and gives its result as text, or the message of its error; the state is then as new.</summary>
    public string Evaluate(string source)
    {
        try
        {
            return Text(Run(source));
        }
        catch (LuaException e)
        {
            return "error: " + e.Message;
        }
        catch (LuaSyntaxException e)
        {
            return "syntax: " + e.Message;
        }
        finally
        {
            State.End(leftNothing: false);
        }
    }

    private string Text(in LuaValue value) => BaseLibrary.ToTextValue(State.Main, value).Object?.ToString() ?? "?";

    // C's output ends at the first NUL of each text.
    private int Print(NativeCall call)
    {
        for (int i = 1; i <= call.Count; i++)
            _output.Append(i > 1 ? "\t" : "").Append(Text(call[i]).Split('\0')[0]);
        _output.Append('\n');
        return 0;
    }
}
