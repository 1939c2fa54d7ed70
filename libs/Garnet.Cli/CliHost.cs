// What surrounds a run of `garnet cli`. Immutable; any thread.
using System.ComponentModel;
using System.Diagnostics;
using Garnet.Cli.Output;

namespace Garnet.Cli;

/// <summary>The process's streams and variables, or a test's.</summary>
/// <param name="input">Opens standard input.</param>
/// <param name="output">Standard output.</param>
/// <param name="error">Standard error.</param>
/// <param name="variables">Gives an environment variable, or null.</param>
internal sealed class CliHost(Func<Stream> input, IOutput output, IOutput error, Func<string, string?> variables)
{
    /// <summary>Standard output.</summary>
    public IOutput Output { get; } = output;

    /// <summary>Standard error.</summary>
    public IOutput Error { get; } = error;

    /// <summary>Whether standard input is a terminal.</summary>
    public bool InputIsTerminal { get; init; }

    /// <summary>Whether standard output is a terminal.</summary>
    public bool OutputIsTerminal { get; init; }

    /// <summary>Whether standard error is a terminal.</summary>
    public bool ErrorIsTerminal { get; init; }

    /// <summary>Whether the process is the host's own, so that it may change how the system schedules it.</summary>
    private bool OwnsProcess { get; init; }

    /// <summary>The process's.</summary>
    public static CliHost OfProcess() =>
        new(Console.OpenStandardInput, StandardStream.Output, StandardStream.Error, Environment.GetEnvironmentVariable)
        {
            InputIsTerminal = !Console.IsInputRedirected,
            OutputIsTerminal = !Console.IsOutputRedirected,
            ErrorIsTerminal = !Console.IsErrorRedirected,
            OwnsProcess = true,
        };

    /// <summary>
    /// For long work that can wait: a processor that others want is theirs first, a server on the same machine and its clients among them.
    /// </summary>
    public void YieldProcessor()
    {
        if (!OwnsProcess)
            return;
        try
        {
            using var self = Process.GetCurrentProcess();
            self.PriorityClass = ProcessPriorityClass.Idle;
        }
        catch (Exception e) when (e is Win32Exception or PlatformNotSupportedException)
        {
            // A system that forbids it: the pauses are left.
        }
    }

    /// <summary>Opens standard input.</summary>
    public Stream OpenInput() => input();

    /// <summary>An environment variable, or null.</summary>
    public string? Variable(string name) => variables(name);
}
