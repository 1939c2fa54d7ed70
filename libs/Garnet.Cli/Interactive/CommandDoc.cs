// A command as COMMAND DOCS describes it. Immutable; any thread.
namespace Garnet.Cli.Interactive;

/// <summary>Name, purpose and arguments of a command or subcommand.</summary>
/// <param name="Words">The name, in upper case; a subcommand's has two words.</param>
/// <param name="Summary">What it does.</param>
/// <param name="Since">The version that introduced it.</param>
/// <param name="Group">The group that it belongs to.</param>
/// <param name="Arguments">Its arguments.</param>
internal sealed record CommandDoc(string[] Words, string Summary, string Since, string Group, IReadOnlyList<ArgumentDoc> Arguments)
{
    /// <summary>The name as it is written.</summary>
    public string Name => string.Join(' ', Words);
}
