// What the server's commands do, by their names. Any thread.
using System.Collections.Frozen;
using Garnet.Client;

namespace Garnet.Dashboard.Console;

/// <summary>
/// Asks once for all commands, and never for a single one: other users see what is asked, and the first word of a line may be a password
/// that was typed in the wrong place.
/// </summary>
internal sealed class CommandTable(IDashboardServer server)
{
    // Elements of a command in the reply of COMMAND.
    private const int Flags = 2;
    private const int Categories = 6;
    private const int Subcommands = 9;

    private volatile FrozenDictionary<string, CommandTraits>? _commands;

    /// <summary>Finds a command by its name and its first argument, which may be a subcommand; no traits where there is none.</summary>
    /// <returns>The name, with the subcommand as in <c>config|get</c>.</returns>
    /// <exception cref="IOException">The server does not tell its commands.</exception>
    public async ValueTask<(string Name, CommandTraits? Traits)> FindAsync(
        string name,
        string? argument,
        CancellationToken cancellationToken
    )
    {
        FrozenDictionary<string, CommandTraits> commands = _commands ??= await ReadAsync(cancellationToken).ConfigureAwait(false);
        string whole = $"{name}|{argument}";
        return argument is not null && commands.TryGetValue(whole, out CommandTraits subcommand)
            ? (whole, subcommand)
            : (name, commands.TryGetValue(name, out CommandTraits command) ? command : null);
    }

    private async Task<FrozenDictionary<string, CommandTraits>> ReadAsync(CancellationToken cancellationToken)
    {
        RespValue reply = await server.CallAsync(Words.Of("COMMAND"), cancellationToken).ConfigureAwait(false);
        if (reply.IsError)
            throw new IOException(reply.ErrorMessage);
        return reply
            .Children.SelectMany(static command => (IEnumerable<RespValue>)[command, .. SubcommandsOf(command)])
            .ToFrozenDictionary(static command => command[0].AsString()!, TraitsOf, StringComparer.OrdinalIgnoreCase);
    }

    private static IReadOnlyList<RespValue> SubcommandsOf(RespValue command) =>
        command.Children.Count > Subcommands ? command[Subcommands].Children : [];

    private static CommandTraits TraitsOf(RespValue command) =>
        new(
            IsReadOnly: Has(command[Flags], "readonly"),
            IsOfScripts: Has(command[Categories], "@scripting"),
            IsDangerous: Has(command[Categories], "@dangerous")
        );

    private static bool Has(RespValue names, string name) => names.Children.Any(each => each.AsString() == name);
}
