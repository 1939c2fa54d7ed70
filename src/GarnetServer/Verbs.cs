// The words that may stand first on the command line. One thread, at start.
namespace Garnet.Tool;

/// <summary>
/// Runs what the first argument names. <c>garnet server</c>, or any other first argument, is the server, whose configuration file may stand
/// there; a file that is called like a verb is written with its folder: <c>./server</c>.
/// </summary>
/// <remarks>Compared word by word: a parser's reflection would take longer than all of the server's arguments.</remarks>
internal static class Verbs
{
    private const string Server = "server";

    /// <summary>Runs the verb; null when the arguments are the server's.</summary>
    public static Task<int>? TryRun(string[] args) =>
        args is [var verb, ..]
            ? verb switch
            {
                _ => null,
            }
            : null;

    /// <summary>The server's arguments, without the word that may precede them.</summary>
    public static string[] ServerArguments(string[] args) => args is [Server, .. var rest] ? rest : args;
}
