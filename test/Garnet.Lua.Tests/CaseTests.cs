// Scripts whose output is compared with that of Lua 5.1 and of Valkey. One state for each test.
using System.Diagnostics;
using System.Text;
using Garnet.Lua.Values;
using Garnet.Testing;
using Xunit;

namespace Garnet.Lua.Tests;

public sealed class CaseTests
{
    private static string CasesFolder => Path.Combine(AppContext.BaseDirectory, "Cases");

    public static TheoryData<string> Cases => Names("Cases");

    public static TheoryData<string> ServerCases => Names("ServerCases");

    // What lua5.1 printed is recorded beside each script.
    [Theory]
    [MemberData(nameof(Cases))]
    public void Script_prints_what_Lua_5_1_printed(string name)
    {
        string expected = File.ReadAllText(Path.Combine(CasesFolder, name + ".txt"), Encoding.Latin1);
        AssertSameLines(expected, RunCase(name));
    }

    // What Valkey's EVAL returned is recorded beside each script: the order of pairs, and libraries that lua5.1 does not have.
    [Theory]
    [MemberData(nameof(ServerCases))]
    public void Script_returns_what_Valkey_returned(string name)
    {
        string folder = Path.Combine(AppContext.BaseDirectory, "ServerCases");
        string expected = File.ReadAllText(Path.Combine(folder, name + ".txt"), Encoding.Latin1);
        var runner = new ScriptRunner();
        LuaValue result = runner.Run(File.ReadAllBytes(Path.Combine(folder, name + ".lua")), "@user_script");
        AssertSameLines(expected, result.Object!.ToString()! + "\n");
    }

    [PeerFact("lua5.1", Optional = true)]
    public void Scripts_print_what_the_installed_Lua_5_1_prints()
    {
        foreach (string script in Directory.EnumerateFiles(CasesFolder, "*.lua"))
        {
            string name = Path.GetFileNameWithoutExtension(script);
            var start = new ProcessStartInfo(Peers.Find("lua5.1"), [name + ".lua"])
            {
                WorkingDirectory = CasesFolder,
                RedirectStandardOutput = true,
                StandardOutputEncoding = Encoding.Latin1,
            };
            using Process lua = Process.Start(start)!;
            string expected = lua.StandardOutput.ReadToEnd();
            lua.WaitForExit();
            AssertSameLines(expected, RunCase(name));
        }
    }

    private static TheoryData<string> Names(string folder) =>
        [
            .. Directory
                .EnumerateFiles(Path.Combine(AppContext.BaseDirectory, folder), "*.lua")
                .Select(static file => Path.GetFileNameWithoutExtension(file)!)
                .Order(),
        ];

    private static string RunCase(string name)
    {
        var runner = new ScriptRunner();
        runner.Run(File.ReadAllBytes(Path.Combine(CasesFolder, name + ".lua")), $"@{name}.lua");
        return runner.Output;
    }

    private static void AssertSameLines(string expected, string actual)
    {
        string[] expectedLines = expected.Split('\n');
        string[] actualLines = actual.Split('\n');
        for (int i = 0; i < Math.Min(expectedLines.Length, actualLines.Length); i++)
            Assert.True(expectedLines[i] == actualLines[i], $"line {i + 1}: expected {expectedLines[i]}, was {actualLines[i]}");
        Assert.Equal(expectedLines.Length, actualLines.Length);
    }
}
