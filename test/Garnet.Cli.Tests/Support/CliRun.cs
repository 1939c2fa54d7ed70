// Runs `garnet cli` in the test's process, or another client as a process. Stateless; any thread.
using System.Diagnostics;
using System.Text;

namespace Garnet.Cli.Tests.Support;

/// <summary>What a run printed, and how it ended. Bytes are Latin-1 characters.</summary>
/// <param name="ExitCode">The exit code.</param>
/// <param name="Output">Standard output.</param>
/// <param name="Error">Standard error.</param>
internal sealed record CliRun(int ExitCode, string Output, string Error)
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);

    /// <summary>Runs ours.</summary>
    /// <param name="arguments">What follows <c>garnet cli</c>.</param>
    /// <param name="input">Standard input, as Latin-1.</param>
    /// <param name="isTerminal">Whether standard output passes for a terminal.</param>
    /// <param name="variables">The environment.</param>
    /// <param name="capacity">After how many bytes the reader of the output is gone.</param>
    public static CliRun Ours(
        IEnumerable<string> arguments,
        string input = "",
        bool isTerminal = false,
        IReadOnlyDictionary<string, string>? variables = null,
        long capacity = long.MaxValue
    )
    {
        var output = new CapturedOutput { Capacity = capacity };
        var error = new CapturedOutput();
        var host = new CliHost(
            () => new MemoryStream(Encoding.Latin1.GetBytes(input)),
            output,
            error,
            name => variables?.GetValueOrDefault(name)
        )
        {
            OutputIsTerminal = isTerminal,
            ErrorIsTerminal = isTerminal,
        };
        int exitCode = new CliProgram(host).Run([.. arguments]);
        return new CliRun(exitCode, Encoding.Latin1.GetString(output.Bytes), Encoding.Latin1.GetString(error.Bytes));
    }

    /// <summary>Runs another program.</summary>
    public static CliRun Theirs(
        string program,
        IEnumerable<string> arguments,
        string input = "",
        IReadOnlyDictionary<string, string>? variables = null
    )
    {
        var start = new ProcessStartInfo(program, arguments)
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            StandardOutputEncoding = Encoding.Latin1,
            StandardErrorEncoding = Encoding.Latin1,
        };
        foreach ((string name, string value) in variables ?? new Dictionary<string, string>())
            start.Environment[name] = value;
        using Process process = Process.Start(start)!;
        Task<string> output = process.StandardOutput.ReadToEndAsync();
        Task<string> error = process.StandardError.ReadToEndAsync();
        Send(process, input);
        if (!process.WaitForExit(Patience))
        {
            process.Kill();
            process.WaitForExit();
            return new CliRun(-1, output.Result, $"{error.Result}did not end within {Patience}");
        }

        process.WaitForExit();
        return new CliRun(process.ExitCode, output.Result, error.Result);
    }

    private static void Send(Process process, string input)
    {
        try
        {
            process.StandardInput.BaseStream.Write(Encoding.Latin1.GetBytes(input));
        }
        catch (IOException) when (process.WaitForExit(Patience))
        {
            // It needed none of it: its arguments were enough to end.
        }

        process.StandardInput.Close();
    }
}
