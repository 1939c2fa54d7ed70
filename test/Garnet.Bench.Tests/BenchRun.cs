// One run of the command in the test's process. Immutable.
using System.Globalization;
using System.Text.Json;

namespace Garnet.Bench.Tests;

/// <summary>Exit code and output.</summary>
internal sealed record BenchRun(int ExitCode, string Output, string Errors)
{
    /// <summary>Runs <c>garnet bench</c>.</summary>
    public static async Task<BenchRun> RunAsync(params string[] arguments)
    {
        using var output = new StringWriter(CultureInfo.InvariantCulture);
        using var errors = new StringWriter(CultureInfo.InvariantCulture);
        int exitCode = await BenchVerb.RunAsync([.. Options(arguments), .. arguments], output, errors);
        return new BenchRun(exitCode, output.ToString(), errors.ToString());
    }

    /// <summary>The output as JSON, where it was asked for.</summary>
    public JsonElement Json => JsonDocument.Parse(Output).RootElement;

    /// <summary>The figures of a command, by its number, of a test, by its number.</summary>
    public JsonElement Command(int command = 0, int test = 0) => Json.GetProperty("tests")[test].GetProperty("commands")[command];

    /// <summary>A count of a command.</summary>
    public long Count(string name, int command = 0, int test = 0) => Command(command, test).GetProperty(name).GetInt64();

    // Tests end by the number of their requests, not by time, unless they say otherwise.
    private static string[] Options(string[] arguments) => arguments.Contains("-n") ? [] : ["-n", "200", "-c", "4"];
}
