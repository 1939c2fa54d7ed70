// What is measured, in its order. Pure functions.
using System.Globalization;
using System.Text;
using Garnet.Bench.Options;

namespace Garnet.Bench.Workloads;

/// <summary>Turns the options of commands into workloads.</summary>
internal static class WorkloadPlan
{
    private const string Separator = ";";

    /// <summary>The workloads of some options; at least one.</summary>
    /// <exception cref="BenchException">A command cannot be sent.</exception>
    public static IReadOnlyList<Workload> Create(BenchOptions options)
    {
        CommandOptions commands = options.Commands;
        if (commands.Tests.Count > 0)
            return [.. Tests(commands.Tests).Select(test => FromTest(test, options))];
        if (commands.Templates.Count > 0)
            return [FromTemplates(commands.Templates, options)];
        return [commands.Words.Count > 0 ? FromWords(commands.Words, options) : FromRatio(commands.Ratio!.Value, options)];
    }

    /// <summary>The workload that writes each key once, by sequential SETs.</summary>
    public static Workload Fill(BenchOptions options)
    {
        CommandTemplate set = Compile(["SET", "__key__", "__data__"], options);
        return new Workload("fill", [new WorkloadCommand(set, 1, KeyPattern.Parallel) { SharesKeys = true }]);
    }

    /// <summary>The workload that sends a preparation.</summary>
    public static Workload Prepare(PreparationStep step) => new("preparation", [new WorkloadCommand(step.Template, 1, KeyPattern.Uniform)]);

    private static IEnumerable<BuiltInTest> Tests(IReadOnlyList<string> names) =>
        names.Contains(BuiltInTests.All) ? BuiltInTests.Table : names.Select(static name => BuiltInTests.Find(name)!);

    private static Workload FromTest(BuiltInTest test, BenchOptions options)
    {
        string name = test.Name.ToUpperInvariant();
        CommandTemplate template = test.IsInline
            ? CommandTemplate.FromBytes(name, Encoding.ASCII.GetBytes(test.Command + "\r\n"))
            : CommandTemplate.Compile(CommandWords.Split(test.Command), options, name);
        return new Workload(
            test.Name,
            [new WorkloadCommand(template, 1, options.Keys.ReadPattern)],
            test.Preparation is { } made ? new PreparationStep(Compile(CommandWords.Split(made.Command), options), made.Times) : null
        );
    }

    private static Workload FromTemplates(IReadOnlyList<CommandOption> templates, BenchOptions options) =>
        new(
            "commands",
            [
                .. templates.Select(template => new WorkloadCommand(
                    Compile(CommandWords.Split(template.Text), options),
                    template.Ratio,
                    template.Pattern ?? options.Keys.ReadPattern
                )),
            ]
        );

    // redis-benchmark's form: commands separated by semicolons, each with an optional number of repetitions before it.
    private static Workload FromWords(IReadOnlyList<string> words, BenchOptions options)
    {
        var commands = new List<WorkloadCommand>();
        var command = new List<string>();
        foreach (string word in words.Append(Separator))
        {
            if (word != Separator)
            {
                command.Add(word);
            }
            else if (command.Count > 0)
            {
                commands.Add(FromCommand(command, options));
                command.Clear();
            }
        }

        return commands.Count > 0
            ? new Workload("commands", commands)
            : throw new BenchException("there is no command between the semicolons");
    }

    private static WorkloadCommand FromCommand(List<string> words, BenchOptions options)
    {
        int repeats = 1;
        if (words.Count > 1 && int.TryParse(words[0], NumberStyles.None, CultureInfo.InvariantCulture, out int number) && number > 0)
        {
            repeats = number;
            words = words[1..];
        }

        return new WorkloadCommand(Compile(words, options), repeats, options.Keys.ReadPattern);
    }

    private static Workload FromRatio((int Sets, int Gets) ratio, BenchOptions options)
    {
        var commands = new List<WorkloadCommand>();
        if (ratio.Sets > 0)
            commands.Add(new WorkloadCommand(Compile(["SET", "__key__", "__data__"], options), ratio.Sets, options.Keys.WritePattern));
        if (ratio.Gets > 0 && options.Commands.KeysPerGet is { } keys)
        {
            if (ratio.Gets >= keys)
                commands.Add(new WorkloadCommand(MultiGet(keys, options), ratio.Gets / keys, options.Keys.ReadPattern));
            if (ratio.Gets % keys is var rest and > 0)
                commands.Add(new WorkloadCommand(MultiGet(rest, options), 1, options.Keys.ReadPattern));
        }
        else if (ratio.Gets > 0)
        {
            CommandTemplate get = Compile(["GET", "__key__"], options);
            commands.Add(new WorkloadCommand(get, ratio.Gets, options.Keys.ReadPattern, options.Values.IsVerified));
        }

        return new Workload("ratio", commands);
    }

    private static CommandTemplate MultiGet(int keys, BenchOptions options) =>
        Compile(["MGET", .. Enumerable.Repeat("__key__", keys)], options);

    private static CommandTemplate Compile(IReadOnlyList<string> words, BenchOptions options) => CommandTemplate.Compile(words, options);
}
