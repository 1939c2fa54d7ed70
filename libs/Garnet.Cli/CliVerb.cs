// `garnet cli`: a command-line client. One thread, then the process ends.
namespace Garnet.Cli;

/// <summary>The verb.</summary>
internal static class CliVerb
{
    /// <summary>Runs <c>garnet cli</c> with the arguments after that word.</summary>
    /// <returns>The exit code.</returns>
    public static Task<int> RunAsync(string[] args)
    {
        ArgumentNullException.ThrowIfNull(args);
        return Task.FromResult(new CliProgram(CliHost.OfProcess()).Run(args));
    }
}
