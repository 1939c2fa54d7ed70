// Runs a client program to its end. Stateless; any thread.
using System.Diagnostics;

namespace Garnet.Testing;

/// <summary>A finished run of a client program.</summary>
/// <param name="ExitCode">0 by custom when all was well.</param>
/// <param name="Output">Standard output, then standard error.</param>
public sealed record ClientProcess(int ExitCode, string Output)
{
    private static readonly TimeSpan Timeout = TimeSpan.FromSeconds(120);

    /// <summary>Starts the program, gives it the input and waits for its end.</summary>
    /// <exception cref="TimeoutException">It did not end in time; it is killed.</exception>
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
