// A history of commands that starts from an empty server. Immutable; any thread.
namespace Garnet.EndToEnd.Tests.Differential;

/// <summary>Short on purpose: after a difference the rest of an episode says nothing, and the next one starts afresh.</summary>
/// <param name="Family">The family's name.</param>
/// <param name="Seed">What it was generated from.</param>
/// <param name="Protocol">2 or 3, negotiated before the first command.</param>
/// <param name="Connections">How many connections it uses.</param>
/// <param name="Pipelined">True when the commands are sent together rather than one by one.</param>
/// <param name="Commands">The commands in the order in which they are carried out.</param>
internal sealed record Episode(string Family, int Seed, int Protocol, int Connections, bool Pipelined, IReadOnlyList<Command> Commands)
{
    /// <summary>The same circumstances with other commands.</summary>
    public Episode With(IReadOnlyList<Command> commands) => this with { Commands = commands };
}
