// Two replies that should be equal. Immutable; any thread.
namespace Garnet.EndToEnd.Tests.Differential;

/// <summary>The first difference of an episode.</summary>
/// <param name="Episode">The history.</param>
/// <param name="Index">The command's index in it.</param>
/// <param name="Expected">The reference's raw reply.</param>
/// <param name="Actual">The raw reply of the server under test.</param>
internal sealed record Mismatch(Episode Episode, int Index, byte[] Expected, byte[] Actual)
{
    /// <summary>The command whose replies differ.</summary>
    public Command Command => Episode.Commands[Index];

    /// <summary>The key for grouping mismatches: the command's name, for containers with the subcommand.</summary>
    public string Group =>
        Command.Name is "CLIENT" or "COMMAND" or "OBJECT" or "PFDEBUG" or "CONFIG" or "SCRIPT" or "FUNCTION"
            ? $"{Command.Name} {Command.Argument(1)}"
            : Command.Name;
}
