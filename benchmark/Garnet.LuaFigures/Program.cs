// Runs a Lua file: once with its output, or many times with the processor time of a run. One thread.
using System.Diagnostics;
using System.Globalization;
using System.Text;
using Garnet.Lua.Compilation;
using Garnet.Lua.Execution;
using Garnet.Lua.Libraries;
using Garnet.Lua.Values;

if (args.Length == 0)
{
    Console.Error.WriteLine("usage: lua-figures FILE [RUNS]");
    return 2;
}

using Stream output = Console.OpenStandardOutput();
var state = new LuaState();
StandardLibraries.AddTo(state);
state.Globals.Set("print", new LuaValue(new LuaNative("print", Print)));
Prototype chunk = LuaCompiler.Compile(File.ReadAllBytes(args[0]), "@" + Path.GetFileName(args[0]));
int runs = args.Length > 1 ? int.Parse(args[1], CultureInfo.InvariantCulture) : 1;
for (int round = 0; round < (runs > 1 ? 5 : 1); round++)
{
    long allocated = GC.GetAllocatedBytesForCurrentThread();
    TimeSpan before = Process.GetCurrentProcess().TotalProcessorTime;
    long start = Stopwatch.GetTimestamp();
    for (int i = 0; i < runs; i++)
    {
        try
        {
            LuaValue result = state.Run(new LuaValue(new LuaClosure(chunk, [], state.Globals)), []);
            if (runs == 1 && result.Object is LuaString returned)
                output.Write([.. returned.Span, (byte)'\n']);
        }
        catch (LuaException e)
        {
            Console.Error.WriteLine($"lua: {e.Message}");
            return 1;
        }

        state.End(leftNothing: runs > 1);
    }

    double elapsed = Stopwatch.GetElapsedTime(start).TotalMicroseconds / runs;
    double used = (Process.GetCurrentProcess().TotalProcessorTime - before).TotalMicroseconds / runs;
    allocated = (GC.GetAllocatedBytesForCurrentThread() - allocated) / runs;
    if (runs > 1)
    {
        Console.WriteLine(
            string.Create(CultureInfo.InvariantCulture, $"{elapsed:F3} us, {used:F3} us of processor, {allocated} bytes a run")
        );
    }
}

return 0;

int Print(NativeCall call)
{
    for (int i = 1; i <= call.Count; i++)
    {
        if (i > 1)
            output.WriteByte((byte)'\t');
        string text = BaseLibrary.ToTextValue(call.Thread, call[i]).Object is LuaString shown ? shown.ToString() : "?";
        // As C's functions, up to the first NUL.
        output.Write(Encoding.Latin1.GetBytes(text.Split('\0')[0]));
    }

    output.WriteByte((byte)'\n');
    return 0;
}
