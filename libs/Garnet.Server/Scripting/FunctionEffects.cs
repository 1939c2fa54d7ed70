// Checks libraries of functions in a log that is not executed. One thread for each object.
using Garnet.Persistence.Rdb;
using Garnet.Protocol;

namespace Garnet.Server.Scripting;

/// <summary>
/// Compiles what FUNCTION LOAD and FUNCTION RESTORE would load, since a start that replays the log fails if it does not compile.
/// </summary>
internal sealed class FunctionEffects
{
    private readonly RdbPayloadReader _payloads = new();

    /// <summary>What prevents the effect from being replayed; null if nothing does, or if it is another command.</summary>
    /// <param name="effects">The bytes that the arguments are in.</param>
    /// <param name="arguments">The arguments.</param>
    /// <param name="request">Which of them are the effect's.</param>
    public string? Check(ReadOnlySpan<byte> effects, ArgumentTable arguments, in RequestRange request)
    {
        if (request.ArgumentCount < 3 || !Is(arguments.Get(effects, request.FirstArgument), "FUNCTION"))
            return null;
        ReadOnlySpan<byte> subcommand = arguments.Get(effects, request.FirstArgument + 1);
        string? problem =
            Is(subcommand, "LOAD") ? LibraryCode.Check(arguments.Get(effects, request.FirstArgument + request.ArgumentCount - 1).ToArray())
            : Is(subcommand, "RESTORE") ? CheckPayload(arguments.Get(effects, request.FirstArgument + 2))
            : null;
        return problem is null ? null : "it has a library of functions that cannot be loaded: " + problem;
    }

    private string? CheckPayload(ReadOnlySpan<byte> payload) =>
        RdbPayloadReader.IsIntact(payload, takesAnyVersion: true, verifiesChecksum: true)
            ? _payloads.ReadFunctions(payload, LibraryCode.Check)
            : "the payload is damaged";

    private static bool Is(ReadOnlySpan<byte> word, string name) => System.Text.Ascii.EqualsIgnoreCase(word, name);
}
