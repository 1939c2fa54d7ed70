// Checks that the one way to run commands stays the only one. Each test reads files only.
using System.Text.RegularExpressions;
using Xunit;

namespace Garnet.Tidy.Tests;

public sealed partial class ExecutorTests
{
    private static readonly string[] Folders =
    [
        "libs/Garnet.Engine/",
        "libs/Garnet.Commands/",
        "libs/Garnet.Server/",
        "libs/Garnet.Hosting/",
        "libs/Garnet.Modules/",
    ];

    [Fact]
    public void Only_Batch_enters_and_leaves_the_store() => AssertOnly(Entry(), ["libs/Garnet.Engine/Execution/Batch.cs"]);

    // Everything else goes through Batch, or through the scope in which a script's or a module's commands run as one.
    [Fact]
    public void Only_the_executor_calls_commands() =>
        AssertOnly(
            Call(),
            [
                "libs/Garnet.Engine/Execution/Batch.cs",
                "libs/Garnet.Engine/Execution/CommandRunner.cs",
                "libs/Garnet.Engine/Execution/CommandScope.cs",
                "libs/Garnet.Engine/Execution/TransactionRunner.cs",
            ]
        );

    // A command that must run alone asks the executor, which asks the gates again. DEBUG SLEEP only keeps the others out.
    [Fact]
    public void Commands_hold_the_others_through_the_executor()
    {
        Regex barrier = Barrier();
        string[] found =
        [
            .. SourceTree
                .CSharpFiles("libs/Garnet.Commands/", "libs/Garnet.Server/Commands/", "libs/Garnet.Modules/")
                .Where(file => SourceTree.Lines(file).Any(line => barrier.IsMatch(line))),
        ];
        Assert.Equal(["libs/Garnet.Server/Commands/Debugging/DebugCommand.cs"], found);
    }

    [Fact]
    public void Every_gate_is_listed_and_documented()
    {
        string list = string.Join('\n', SourceTree.Lines("libs/Garnet.Server/Composition/GateList.cs"));
        string map = string.Join('\n', SourceTree.Lines("ARCHITECTURE.md"));
        IEnumerable<string> gates = SourceTree
            .CSharpFiles("libs/Garnet.Engine/", "libs/Garnet.Server/")
            .SelectMany(static file => SourceTree.Lines(file))
            .Select(static line => GateClass().Match(line))
            .Where(static match => match.Success)
            .Select(static match => match.Groups[1].Value);
        Offences.AssertNone(
            gates.Where(gate =>
                !list.Contains($"new {gate}(", StringComparison.Ordinal) || !map.Contains($"`{gate}`", StringComparison.Ordinal)
            )
        );
    }

    private static void AssertOnly(Regex use, string[] users)
    {
        string[] found = [.. SourceTree.CSharpFiles(Folders).Where(file => SourceTree.Lines(file).Any(line => use.IsMatch(line))).Order()];
        Assert.Equal(users, found);
    }

    [GeneratedRegex(@"\.(Enter|Leave)Batch\(")]
    private static partial Regex Entry();

    [GeneratedRegex(@"\bRunner\.(Run|Call|Continue)\(|\.Handler!\(")]
    private static partial Regex Call();

    [GeneratedRegex(@"\.(BeginExclusive|EndExclusive|HoldExclusive|RunExclusive)\(")]
    private static partial Regex Barrier();

    [GeneratedRegex(@"class (\w+Gate)(?:\(.*\))? : Gate\b")]
    private static partial Regex GateClass();
}
