// A history of commands that starts from an empty server. Immutable; any thread.
namespace Garnet.EndToEnd.Tests.Differential;

/// <summary>Short on purpose: after a difference, the rest of an episode is meaningless, and the next one starts afresh.</summary>
/// <param name="Family">The family's name.</param>
/// <param name="Seed">The seed of its generator.</param>
/// <param name="Protocol">2 or 3, negotiated before the first command.</param>
/// <param name="Connections">Number of connections.</param>
/// <param name="Pipelined">Whether the commands are sent together rather than one by one.</param>
/// <param name="Commands">The commands in order of execution.</param>
internal sealed record Episode(string Family, int Seed, int Protocol, int Connections, bool Pipelined, IReadOnlyList<Command> Commands)
{
    /// <summary>The same settings with other commands.</summary>
    public Episode With(IReadOnlyList<Command> commands) => this with { Commands = commands };
}
