// Runs a client program to completion. Stateless; any thread.
using System.Diagnostics;

namespace Garnet.Testing;

/// <summary>A completed run of a client program.</summary>
/// <param name="ExitCode">The exit code; by convention 0 for success.</param>
/// <param name="Output">Standard output, then standard error.</param>
internal sealed record ClientProcess(int ExitCode, string Output)
{
    private static readonly TimeSpan Timeout = TimeSpan.FromSeconds(120);

    /// <summary>Starts the program, passes it the input and waits until it exits.</summary>
    /// <exception cref="TimeoutException">It did not exit in time and was killed.</exception>
    public static ClientProcess Run(string program, IEnumerable<string> arguments, string input = "")
    {
        var start = new ProcessStartInfo(program, arguments)
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        using Process process = Process.Start(start)!;
        Task<string> output = process.StandardOutput.ReadToEndAsync();
        Task<string> error = process.StandardError.ReadToEndAsync();
        process.StandardInput.Write(input);
        process.StandardInput.Close();
        if (!process.WaitForExit(Timeout))
        {
            process.Kill(entireProcessTree: true);
            process.WaitForExit();
            throw new TimeoutException(
                $"{program} did not end within {Timeout.TotalSeconds} s:{Environment.NewLine}{output.Result}{error.Result}"
            );
        }

        process.WaitForExit();
        return new ClientProcess(process.ExitCode, output.Result + error.Result);
    }
}
