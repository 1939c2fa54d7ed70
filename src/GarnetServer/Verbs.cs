// The words that may stand first on the command line. One thread, at start.
using System.Runtime.CompilerServices;
using Garnet.Bench;
using Garnet.Cli;
using Garnet.Cli.Output;

namespace Garnet.Tool;

/// <summary>
/// Runs what the first argument names: <c>garnet cli</c>, a client, or <c>garnet bench</c>, a load generator. <c>garnet server</c>, or any
/// other first argument, is the server, whose configuration file may stand there; a file that is called like a verb is written with its
/// folder: <c>./cli</c>.
/// </summary>
/// <remarks>Compared word by word: a parser that finds verbs by reflection would delay each start of the server.</remarks>
internal static class Verbs
{
    private const string Server = "server";

    /// <summary>Runs the verb; null when the arguments are the server's.</summary>
    public static Task<int>? TryRun(string[] args) =>
        args is [var verb, ..]
            ? verb switch
            {
                "cli" => Cli(args[1..]),
                "bench" => Bench(args[1..]),
                _ => null,
            }
            : null;

    // Each in a method of its own: a server does not load the others' assemblies.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static Task<int> Cli(string[] args) => CliVerb.RunAsync(args);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static Task<int> Bench(string[] args) => BenchVerb.RunAsync(args, StandardWriter.Output, Console.Error);

    /// <summary>The server's arguments, without the word that may precede them.</summary>
    public static string[] ServerArguments(string[] args) => args is [Server, .. var rest] ? rest : args;
}
