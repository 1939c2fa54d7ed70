// An argument as COMMAND DOCS describes it. Immutable; any thread.
using Garnet.Client;

namespace Garnet.Cli.Interactive;

/// <summary>Name, token, parts and how often it may stand.</summary>
internal sealed class ArgumentDoc
{
    // Twice as many as any known command needs. A repeated argument's syntax names its parts twice, so that depth costs exponentially.
    private const int MaxDepth = 8;

    /// <summary>What it is called.</summary>
    public string Name { get; private init; } = "";

    /// <summary>The word before it, or it alone; or null.</summary>
    public string? Token { get; private init; }

    /// <summary>What it consists of.</summary>
    public ArgumentKind Kind { get; private init; }

    /// <summary>Whether it may be left out.</summary>
    public bool IsOptional { get; private init; }

    /// <summary>Whether it may stand several times.</summary>
    public bool IsMultiple { get; private init; }

    /// <summary>Whether its token stands each time.</summary>
    public bool RepeatsToken { get; private init; }

    /// <summary>Its parts.</summary>
    public IReadOnlyList<ArgumentDoc> Parts { get; private init; } = [];

    /// <summary>Reads a list of arguments.</summary>
    public static IReadOnlyList<ArgumentDoc> ReadAll(RespValue list) => ReadAll(list, 0);

    private static IReadOnlyList<ArgumentDoc> ReadAll(RespValue list, int depth) =>
        depth == MaxDepth ? [] : [.. list.Children.Select(each => Read(each, depth))];

    private static ArgumentDoc Read(RespValue map, int depth)
    {
        var fields = new DocFields(map);
        return new ArgumentDoc
        {
            Name = fields.Text("display_text") ?? fields.Text("name") ?? "",
            Token = fields.Text("token"),
            Kind = KindOf(fields.Text("type")),
            IsOptional = fields.HasFlag("optional"),
            IsMultiple = fields.HasFlag("multiple"),
            RepeatsToken = fields.HasFlag("multiple_token"),
            Parts = fields.Value("arguments") is { } parts ? ReadAll(parts, depth + 1) : [],
        };
    }

    private static ArgumentKind KindOf(string? type) =>
        type switch
        {
            "integer" or "unix-time" => ArgumentKind.Integer,
            "double" => ArgumentKind.Double,
            "pure-token" => ArgumentKind.PureToken,
            "oneof" => ArgumentKind.OneOf,
            "block" => ArgumentKind.Block,
            _ => ArgumentKind.Word,
        };
}
