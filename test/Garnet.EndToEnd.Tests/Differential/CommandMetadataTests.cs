// COMMAND's description of each command, compared with Valkey's recorded one. Each test has its own server.
using System.Text;
using Garnet.Testing;
using Xunit;

namespace Garnet.EndToEnd.Tests.Differential;

/// <summary>Clients learn from these where a command's keys are; a wrong position breaks them without an error.</summary>
public sealed class CommandMetadataTests
{
    /// <summary>The name of the transcript: one episode of <see cref="Questions"/>.</summary>
    public const string TranscriptName = "commands";

    private static readonly string[] InfoFields =
    [
        "name",
        "arity",
        "flags",
        "first key",
        "last key",
        "step",
        "ACL categories",
        "tips",
        "key specifications",
        "subcommands",
    ];

    // Arguments that Garnet adds to a command.
    private static readonly Dictionary<string, string> Extensions = new() { ["set"] = "sliding", ["getex"] = "sliding" };

    // Commands of Valkey 9.2, and Garnet's own; the recorded ones are those of 9.1.
    private static readonly string[] Later = ["acl|delrole", "acl|getrole", "acl|roles", "acl|setrole", "script|stats"];

    /// <summary>The recorded commands, in this order.</summary>
    internal static Episode Questions => new(TranscriptName, 0, 3, 1, false, [Question("COMMAND", "INFO"), Question("COMMAND", "DOCS")]);

    [Fact]
    public void COMMAND_INFO_agrees_with_Valkey()
    {
        using var server = TestServer.Start();
        byte[][] own = new EpisodeRunner(server.EndPoint).Run(Questions);
        var offences = new List<string>();
        CompareInfo(RespNode.Parse(Recorded()[0]), RespNode.Parse(own[0]), offences);
        Assert.True(offences.Count == 0, $"{offences.Count} differences{Environment.NewLine}{string.Join(Environment.NewLine, offences)}");
    }

    [Fact]
    public void COMMAND_DOCS_agrees_with_Valkey()
    {
        using var server = TestServer.Start();
        byte[][] own = new EpisodeRunner(server.EndPoint).Run(Questions);
        var offences = new List<string>();
        CompareDocs("", RespNode.Parse(Recorded()[1]), RespNode.Parse(own[1]), offences);
        Assert.True(offences.Count == 0, $"{offences.Count} differences{Environment.NewLine}{string.Join(Environment.NewLine, offences)}");
    }

    private static byte[][] Recorded() => Transcript.Read(Transcript.PathOf(TranscriptName)).Entries[0].Replies;

    private static Command Question(params string[] words) => new(0, [.. words.Select(Encoding.ASCII.GetBytes)]);

    // Commands that are not implemented yet are missing on the actual side; nothing else may be.
    private static void CompareInfo(RespNode expected, RespNode actual, List<string> offences)
    {
        Dictionary<string, RespNode> known = expected.Children!.ToDictionary(command => command.Children![0].Text);
        foreach (RespNode command in actual.Children!)
        {
            RespNode[] fields = command.Children!;
            string name = fields[0].Text;
            if (!known.TryGetValue(name, out RespNode? wanted))
            {
                if (!Later.Contains(name))
                    offences.Add($"{name}: Valkey has no such command");
                continue;
            }

            for (int i = 0; i < InfoFields.Length - 1; i++)
            {
                string want = Unordered(wanted.Children![i], InfoFields[i]);
                string have = Unordered(fields[i], InfoFields[i]);
                if (want != have)
                    offences.Add($"{name} {InfoFields[i]}: expected {want}, actual {have}");
            }

            CompareInfo(wanted.Children![^1], fields[^1], offences);
        }
    }

    private static string Unordered(RespNode node, string field) =>
        field is "flags" or "ACL categories"
            ? string.Join(' ', node.Children!.Select(child => child.Text).Order(StringComparer.Ordinal))
            : node.Canonical();

    private static void CompareDocs(string parent, RespNode expected, RespNode actual, List<string> offences)
    {
        Dictionary<string, RespNode> known = Map(expected);
        foreach ((string name, RespNode command) in Map(actual))
        {
            if (!known.TryGetValue(name, out RespNode? wanted))
            {
                if (!Later.Contains(name))
                    offences.Add($"{name}: Valkey has no such command");
                continue;
            }

            Dictionary<string, RespNode> wantedFields = Map(wanted);
            Dictionary<string, RespNode> fields = Map(command);
            foreach (string field in wantedFields.Keys.Union(fields.Keys))
            {
                // There is no cluster: all of them get the same error.
                if (name == "cluster" && field == "subcommands")
                    continue;
                RespNode? want = wantedFields.GetValueOrDefault(field);
                RespNode? have = fields.GetValueOrDefault(field);
                if (field == "arguments" && Extensions.TryGetValue(name, out string? extension))
                    have = WithoutExtension(name, have!, extension, offences);
                if (field == "subcommands" && want is not null && have is not null)
                {
                    CompareDocs(name, want, have, offences);
                }
                else if (want?.Canonical() != have?.Canonical())
                {
                    offences.Add(
                        $"{parent} {name} {field}: expected {want?.Canonical() ?? "nothing"}, actual {have?.Canonical() ?? "nothing"}"
                    );
                }
            }
        }
    }

    private static RespNode WithoutExtension(string command, RespNode arguments, string name, List<string> offences)
    {
        RespNode rest = arguments.Without(argument => argument.Children is [{ Text: "name" }, { } own, ..] && own.Text == name);
        if (rest.Canonical() == arguments.Canonical())
            offences.Add($"{command}: {name} is not documented");
        return rest;
    }

    private static Dictionary<string, RespNode> Map(RespNode node) =>
        node.Children!.Chunk(2).ToDictionary(pair => pair[0].Text, pair => pair[1]);
}
