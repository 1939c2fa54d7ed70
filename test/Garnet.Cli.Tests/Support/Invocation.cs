// A command line that two clients are given. Immutable; any thread.
namespace Garnet.Cli.Tests.Support;

/// <summary>Arguments, input and environment.</summary>
/// <param name="Arguments">What follows the program and the server's address.</param>
internal sealed record Invocation(params string[] Arguments)
{
    /// <summary>Standard input, as Latin-1.</summary>
    public string Input { get; init; } = "";

    /// <summary>The environment.</summary>
    public IReadOnlyDictionary<string, string> Variables { get; init; } = new Dictionary<string, string>();

    /// <summary>Whether redis-cli of Debian 12 (7.0) does otherwise than valkey-cli 9.1, which is followed.</summary>
    public bool DiffersFromRedis7 { get; init; }

    /// <inheritdoc/>
    public override string ToString() => string.Join(' ', Arguments) + (Input.Length > 0 ? $" < {Input.Replace("\n", "\\n")}" : "");
}
