// One argument of a command as COMMAND DOCS tells it. Immutable; any thread.
using Garnet.Client;

namespace Garnet.Attack.Tests.Generator;

/// <summary>An argument: what it is, the token before it, and the arguments it is made of.</summary>
internal sealed record ArgumentGrammar(
    string Name,
    string Type,
    string? Token,
    bool IsOptional,
    bool IsMultiple,
    bool RepeatsToken,
    IReadOnlyList<ArgumentGrammar> Parts
)
{
    /// <summary>All of a list; none of null.</summary>
    public static IReadOnlyList<ArgumentGrammar> ReadAll(RespValue? list) => list is null ? [] : [.. list.Children.Select(Read)];

    private static ArgumentGrammar Read(RespValue map)
    {
        string[] flags = CommandGrammar.Find(map, "flags") is { } given ? [.. given.Children.Select(static flag => flag.Text)] : [];
        return new ArgumentGrammar(
            CommandGrammar.Find(map, "name")!.Text,
            CommandGrammar.Find(map, "type")!.Text,
            CommandGrammar.Find(map, "token")?.Text,
            flags.Contains("optional"),
            flags.Contains("multiple"),
            flags.Contains("multiple_token"),
            ReadParts(map)
        );
    }

    private static IReadOnlyList<ArgumentGrammar> ReadParts(RespValue map) =>
        CommandGrammar.Find(map, "type")!.Text is "oneof" or "block" ? ReadAll(CommandGrammar.Find(map, "arguments")) : [];
}
