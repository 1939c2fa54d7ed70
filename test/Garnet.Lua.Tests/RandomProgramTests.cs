// Random programs and random bytes. One state for each program.
using System.Diagnostics;
using System.Text;
using System.Text.RegularExpressions;
using Garnet.Lua.Compilation;
using Garnet.Lua.Execution;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Lua.Tests;

public sealed partial class RandomProgramTests(ITestOutputHelper output)
{
    // A text that programs do not print.
    private const string End = "<end of the program>";

    private static readonly int Programs = FaultScale.Count(400, 10_000);
    private static readonly int Mutations = FaultScale.Count(3000, 1_000_000);

    // All programs run in one process of lua5.1; what each prints, errors included, must be the same.
    [PeerFact("lua5.1", Optional = true)]
    public void Random_programs_print_what_the_installed_Lua_5_1_prints()
    {
        int seed = TestSeed.ChooseAnew(output);
        var programs = new List<string>();
        for (int i = 0; i < Programs; i++)
            programs.Add(new ProgramGenerator(new Random(unchecked(seed + i))).Generate());
        string[] expected = RunWithLua(programs);
        for (int i = 0; i < Programs; i++)
        {
            Assert.True(
                WithoutNames(expected[i]) == WithoutNames(Run(programs[i])),
                $"program {seed + i}:\n{programs[i]}\nexpected:\n{expected[i]}\nwas:\n{Run(programs[i])}"
            );
        }
    }

    [Fact]
    public void Mutated_sources_end_within_limits()
    {
        var random = new Random(TestSeed.ChooseAnew(output));
        byte[][] sources =
        [
            .. Directory.EnumerateFiles(Path.Combine(AppContext.BaseDirectory, "Cases"), "*.lua").Order().Select(File.ReadAllBytes),
        ];
        for (int i = 0; i < Mutations; i++)
        {
            byte[] source = sources[random.Next(sources.Length)];
            int start = random.Next(source.Length);
            byte[] mutated = source.AsSpan(start, random.Next(Math.Min(600, source.Length - start)) + 1).ToArray();
            for (int change = random.Next(6); change > 0; change--)
                mutated[random.Next(mutated.Length)] = random.Next(3) == 0 ? (byte)random.Next(256) : source[random.Next(source.Length)];
            RunWithinLimits(mutated);
        }
    }

    [Fact]
    public void Mutated_inputs_of_libraries_end_within_limits()
    {
        var random = new Random(TestSeed.ChooseAnew(output));
        for (int i = 0; i < Mutations; i++)
        {
            (string function, string input) = LibraryInputs.All[i % LibraryInputs.All.Length];
            byte[] bytes = Encoding.Latin1.GetBytes(input);
            byte[] mutated = bytes.AsSpan(0, random.Next(bytes.Length) + 1).ToArray();
            for (int change = random.Next(5); change > 0; change--)
                mutated[random.Next(mutated.Length)] = random.Next(2) == 0 ? (byte)random.Next(256) : bytes[random.Next(bytes.Length)];
            string escaped = string.Concat(mutated.Select(static b => $"\\{b:D3}"));
            RunWithinLimits(Encoding.Latin1.GetBytes($"return pcall({function}, \"{escaped}\")"));
        }
    }

    // Which operands of "and" and "or" have names in messages depends on how Lua's compiler orders its instructions.
    private static string WithoutNames(string output) => NamedOperand().Replace(output, "a ${type} value");

    [GeneratedRegex(@"(?:local|global|field|upvalue) '[^']*' \(a (?<type>\w+) value\)")]
    private static partial Regex NamedOperand();

    private static void RunWithinLimits(byte[] source)
    {
        var runner = new ScriptRunner();
        runner.State.Heap.Limit = new(null, 8 << 20);
        runner.State.SetMonitor(new StopAtOnce(), interval: 200_000);
        try
        {
            runner.Run(source, "=mutated");
        }
        catch (Exception e) when (e is LuaException or LuaSyntaxException or LuaInterruptedException)
        {
            Assert.NotNull(e.Message);
        }
    }

    private static string Run(string program)
    {
        var runner = new ScriptRunner();
        try
        {
            runner.Run(program, "=program");
        }
        catch (Exception e) when (e is LuaException or LuaSyntaxException)
        {
            return $"{runner.Output}{e.Message}\n";
        }

        return runner.Output;
    }

    private static string[] RunWithLua(List<string> programs)
    {
        string file = Path.GetTempFileName();
        try
        {
            var script = new StringBuilder();
            foreach (string program in programs)
            {
                // A function each, because the number of local variables of one is limited.
                script.Append("(function() local f, e = loadstring([======[").Append(program).Append("]======], '=program') ");
                script.Append(
                    $"if not f then print(e) else local ok, e = pcall(f) if not ok then print(e) end end end)() io.write('{End}');\n"
                );
            }

            File.WriteAllText(file, script.ToString(), Encoding.Latin1);
            var start = new ProcessStartInfo(Peers.Find("lua5.1"), [file])
            {
                RedirectStandardOutput = true,
                RedirectStandardError = true,
                StandardOutputEncoding = Encoding.Latin1,
            };
            using Process lua = Process.Start(start)!;
            Task<string> error = lua.StandardError.ReadToEndAsync();
            string output = lua.StandardOutput.ReadToEnd();
            lua.WaitForExit();
            Assert.True(lua.ExitCode == 0, error.Result);
            return output.Split(End);
        }
        finally
        {
            File.Delete(file);
        }
    }

    private sealed class StopAtOnce : IExecutionMonitor
    {
        public void OnInterval(LuaState state) => throw new LuaInterruptedException("stopped");
    }
}
