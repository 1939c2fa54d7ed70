// Decides whether two replies to a command are equivalent. Stateless; any thread.
namespace Garnet.EndToEnd.Tests.Differential;

/// <summary>
/// Replies must be equal byte by byte. Commands whose reply is not a function of the history have a specific comparison here; errors are
/// always compared exactly.
/// </summary>
internal static class ReplyComparer
{
    // Version and checksum.
    private const int PayloadFooterBytes = 10;

    private delegate bool Comparison(RespNode expected, RespNode actual, ComparisonClock clock);

    private static readonly HashSet<string> HistoryFields =
    [
        "name",
        "db",
        "sub",
        "psub",
        "ssub",
        "multi",
        "cmd",
        "user",
        "redir",
        "resp",
        "lib-name",
        "lib-ver",
    ];

    private static readonly Dictionary<string, Comparison> ByName = new()
    {
        ["TTL"] = (expected, actual, clock) => BothNumbers(expected, actual) && clock.SameRemaining(Scaled(expected), Scaled(actual)),
        ["PTTL"] = (expected, actual, clock) =>
            BothNumbers(expected, actual) && clock.SameRemaining(expected.Number!.Value, actual.Number!.Value),
        ["EXPIRETIME"] = (expected, actual, clock) => BothNumbers(expected, actual) && clock.SameMoment(Scaled(expected), Scaled(actual)),
        ["PEXPIRETIME"] = (expected, actual, clock) =>
            BothNumbers(expected, actual) && clock.SameMoment(expected.Number!.Value, actual.Number!.Value),
        ["DUMP"] = SamePayload,
        ["KEYS"] = SameElements,
        ["RANDOMKEY"] = (expected, actual, _) => expected.Type == actual.Type && expected.IsNull == actual.IsNull,
        ["SCAN"] = (expected, actual, _) => SameShape(expected, actual),
        ["HKEYS"] = SameElements,
        ["HVALS"] = SameElements,
        ["HGETALL"] = SamePairs,
        ["HSCAN"] = SameIteration,
        ["HRANDFIELD"] = (expected, actual, _) => SameTypes(expected, actual),
        ["HTTL"] = (expected, actual, clock) =>
            SameNumbers(expected, actual, (one, other) => clock.SameRemaining(Scaled(one), Scaled(other))),
        ["HPTTL"] = (expected, actual, clock) =>
            SameNumbers(expected, actual, (one, other) => clock.SameRemaining(one.Number!.Value, other.Number!.Value)),
        ["HEXPIRETIME"] = (expected, actual, clock) =>
            SameNumbers(expected, actual, (one, other) => clock.SameMoment(Scaled(one), Scaled(other))),
        ["HPEXPIRETIME"] = (expected, actual, clock) =>
            SameNumbers(expected, actual, (one, other) => clock.SameMoment(one.Number!.Value, other.Number!.Value)),
        ["SMEMBERS"] = SameElements,
        ["SUNION"] = SameElements,
        ["SINTER"] = SameElements,
        ["SDIFF"] = SameElements,
        ["SPOP"] = SameElements,
        ["SSCAN"] = SameIteration,
        ["SRANDMEMBER"] = (expected, actual, _) => SameTypes(expected, actual),
        ["ZRANDMEMBER"] = SameElements,
        ["ZSCAN"] = (expected, actual, clock) =>
            SameShape(expected, actual) && SameElements(expected.Children![1], actual.Children![1], clock),
        ["XADD"] = SameId,
        ["XPENDING"] = SameTimes,
        ["XINFO CONSUMERS"] = SameTimes,
        ["XINFO STREAM"] = SameTimes,
        ["TIME"] = (_, actual, _) => actual.Children is [{ Type: '$', Number: > 0 }, { Type: '$', Number: >= 0 and < 1_000_000 }],
        ["HELLO"] = SameGreeting,
        ["CLIENT ID"] = (_, actual, _) => actual is { Type: ':', Number: > 0 },
        ["CLIENT INFO"] = SameClient,
        ["CLIENT LIST"] = SameClient,
        ["COMMAND "] = (_, actual, _) => actual.Children is { Length: > 0 } commands && commands.All(each => each.Children?.Length == 10),
        ["COMMAND COUNT"] = (_, actual, _) => actual is { Type: ':', Number: > 0 },
        ["OBJECT IDLETIME"] = (expected, actual, _) =>
            actual.Type == expected.Type && actual.IsNull == expected.IsNull && (actual.IsNull || actual.Number is >= 0 and < 100),
        ["OBJECT HELP"] = (_, actual, _) => actual.Children is { Length: > 0 } lines && lines.All(line => line.Type == '+'),
        ["CONFIG GET"] = (expected, actual, _) => Pairs(expected).SequenceEqual(Pairs(actual)),
        ["INFO"] = (expected, actual, _) => expected.Type == actual.Type && InfoComparison.Same(expected.Text, actual.Text),
        ["SLOWLOG GET"] = SameLog,
        ["COMMANDLOG GET"] = SameLog,
        ["LATENCY HISTOGRAM"] = (expected, actual, _) => Histograms(expected).SequenceEqual(Histograms(actual)),
        ["MEMORY USAGE"] = (expected, actual, _) =>
            expected.Type == actual.Type && expected.IsNull == actual.IsNull && (actual.IsNull || actual.Number > 0),
        ["MEMORY STATS"] = (expected, actual, _) => expected.Type == actual.Type && actual.Children is { Length: > 0 },
        ["MEMORY DOCTOR"] = SameKind,
        ["MEMORY MALLOC-STATS"] = SameKind,
        ["DEBUG OBJECT"] = (expected, actual, _) => expected.Type == '+' && actual.Text.StartsWith("Value ", StringComparison.Ordinal),
        ["DEBUG HELP"] = SameKind,
        ["LATENCY GRAPH"] = SameKind,
        ["ROLE"] = (expected, actual, _) =>
            expected.Children is [{ } role, _, { } replicas]
            && actual.Children is [{ } ownRole, { Number: >= 0 }, { } ownReplicas]
            && role.SameAs(ownRole)
            && replicas.SameAs(ownReplicas),
        ["FUNCTION LIST"] = (expected, actual, _) => Unordered(expected) == Unordered(actual),
        ["FUNCTION DUMP"] = (expected, actual, _) =>
            expected.Payload is { Length: >= PayloadFooterBytes } wanted
            && actual.Payload is { Length: >= PayloadFooterBytes } found
            && wanted.Length > PayloadFooterBytes == found.Length > PayloadFooterBytes,
        ["COMMAND GETKEYSANDFLAGS"] = (expected, actual, _) => expected.Canonical() == actual.Canonical(),
    };

    /// <summary>Compares two raw replies.</summary>
    public static bool Same(Command command, byte[] expected, byte[] actual, ComparisonClock clock)
    {
        if (expected.AsSpan().SequenceEqual(actual))
            return true;
        return expected.Length > 0 && actual.Length > 0 && Same(command, RespNode.Parse(expected), RespNode.Parse(actual), clock);
    }

    /// <summary>Compares two parsed replies, as elements of the reply to EXEC.</summary>
    public static bool Same(Command command, RespNode expected, RespNode actual, ComparisonClock clock)
    {
        if (expected.SameAs(actual))
            return true;
        if (expected.IsError || actual.IsError)
            return false;
        return (
                ByName.TryGetValue(command.Name, out Comparison? comparison)
                || ByName.TryGetValue($"{command.Name} {command.Argument(1)}", out comparison)
            ) && comparison(expected, actual, clock);
    }

    private static bool SameKind(RespNode expected, RespNode actual, ComparisonClock clock) =>
        expected.Type == actual.Type && actual.Text.Length > 0 == expected.Text.Length > 0;

    private static IEnumerable<string> Pairs(RespNode node) =>
        node.Children!.Chunk(2).Select(pair => $"{pair[0].Canonical()} {pair[1].Canonical()}").Order(StringComparer.Ordinal);

    // Compares the number of calls per command; durations depend on the machine.
    private static IEnumerable<string> Histograms(RespNode node) =>
        node.Children!.Chunk(2).Select(pair => $"{pair[0].Canonical()} {pair[1].Children![1].Canonical()}").Order(StringComparer.Ordinal);

    // Entries for the same commands with the same arguments; IDs start anywhere but increase equally, and times, reply sizes and addresses
    // differ.
    private static bool SameLog(RespNode expected, RespNode actual, ComparisonClock clock)
    {
        if (expected.Type != '*' || actual.Type != '*' || expected.Children!.Length != actual.Children!.Length)
            return false;
        for (int i = 0; i < expected.Children.Length; i++)
        {
            RespNode[] wanted = expected.Children[i].Children!,
                found = actual.Children[i].Children!;
            long step = i == 0 ? 0 : wanted[0].Number!.Value - expected.Children[i - 1].Children![0].Number!.Value;
            long ownStep = i == 0 ? 0 : found[0].Number!.Value - actual.Children[i - 1].Children![0].Number!.Value;
            if (step != ownStep || found.Length != wanted.Length || !found[3].SameAs(wanted[3]) || !found[5].SameAs(wanted[5]))
                return false;
        }

        return true;
    }

    private static bool BothNumbers(RespNode expected, RespNode actual) =>
        expected.Type == ':' && actual is { Type: ':', Number: not null };

    // Converts seconds to milliseconds; negative replies mean "no key" and "no expiry".
    private static long Scaled(RespNode seconds) => seconds.Number!.Value < 0 ? seconds.Number.Value : seconds.Number.Value * 1000;

    private static bool SameElements(RespNode expected, RespNode actual, ComparisonClock clock) =>
        expected.Type == actual.Type
        && expected.Children is { } some
        && actual.Children is { } others
        && some.Select(node => node.Canonical())
            .Order(StringComparer.Ordinal)
            .SequenceEqual(others.Select(node => node.Canonical()).Order(StringComparer.Ordinal));

    // The pairs of a map, or an array of alternating keys and values, in any order.
    private static bool SamePairs(RespNode expected, RespNode actual, ComparisonClock clock) =>
        expected.Type == actual.Type
        && expected.Children is { } some
        && actual.Children is { } others
        && Pairs(some).SequenceEqual(Pairs(others));

    private static IEnumerable<string> Pairs(RespNode[] nodes) =>
        nodes.Chunk(2).Select(pair => string.Join('=', pair.Select(node => node.Canonical()))).Order(StringComparer.Ordinal);

    // An iteration that was completed with this call.
    private static bool SameIteration(RespNode expected, RespNode actual, ComparisonClock clock) =>
        expected.Children is [{ Text: "0" }, { } some]
        && actual.Children is [{ Text: "0" }, { } others]
        && SameElements(some, others, clock);

    // Random replies have the same structure.
    private static bool SameTypes(RespNode expected, RespNode actual) =>
        expected.Type == actual.Type
        && expected.IsNull == actual.IsNull
        && expected.Children?.Length == actual.Children?.Length
        && (expected.Children is null || expected.Children.Zip(actual.Children!).All(pair => SameTypes(pair.First, pair.Second)));

    private static bool SameNumbers(RespNode expected, RespNode actual, Func<RespNode, RespNode, bool> same) =>
        expected.Children is { } some
        && actual.Children is { } others
        && some.Length == others.Length
        && some.Zip(others).All(pair => BothNumbers(pair.First, pair.Second) && same(pair.First, pair.Second));

    // Libraries and their functions in any order.
    private static string Unordered(RespNode node) =>
        node.Children is null
            ? node.Canonical()
            : $"{node.Type}{{{string.Join(",", node.Children.Select(Unordered).Order(StringComparer.Ordinal))}}}";

    // Strings are equal except for version and checksum; a collection may have one of several encodings.
    private static bool SamePayload(RespNode expected, RespNode actual, ComparisonClock clock)
    {
        if (expected.Payload is not { Length: > PayloadFooterBytes } wanted || actual.Payload is not { Length: > PayloadFooterBytes } found)
            return false;
        return wanted[0] != 0 ? found[0] != 0 : wanted.AsSpan()[..^PayloadFooterBytes].SequenceEqual(found.AsSpan()[..^PayloadFooterBytes]);
    }

    // IDs generated by the clock, unless the client specified them.
    private static bool SameId(RespNode expected, RespNode actual, ComparisonClock clock) =>
        long.TryParse(expected.Text.Split('-')[0], out long expectedMs)
        && long.TryParse(actual.Text.Split('-')[0], out long actualMs)
        && expectedMs > 1_000_000_000_000
        && clock.SameMoment(expectedMs, actualMs);

    // Equal except for times and idle times: the values after such names, and the third of the four properties of a pending entry.
    private static bool SameTimes(RespNode expected, RespNode actual, ComparisonClock clock)
    {
        if (expected.Children is not { } some || actual.Children is not { } others)
        {
            return expected.SameAs(actual)
                || (
                    BothNumbers(expected, actual)
                    && expected.Number > 1_000_000_000_000
                    && clock.SameMoment(expected.Number.Value, actual.Number!.Value)
                );
        }

        if (expected.Type != actual.Type || some.Length != others.Length)
            return false;
        for (int i = 0; i < some.Length; i++)
        {
            bool isAge =
                BothNumbers(some[i], others[i]) && ((i == 2 && some.Length == 4) || (i > 0 && some[i - 1].Text is ("idle" or "inactive")));
            if (!(isAge && clock.SameRemaining(some[i].Number!.Value, others[i].Number!.Value)) && !SameTimes(some[i], others[i], clock))
                return false;
        }

        return true;
    }

    private static bool SameShape(RespNode expected, RespNode actual) =>
        expected.Type == actual.Type
        && expected.Children?.Length == actual.Children?.Length
        && actual.Children is [{ Type: '$' } cursor, { Type: '*' }]
        && ulong.TryParse(cursor.Text, out _);

    private static bool SameGreeting(RespNode expected, RespNode actual, ComparisonClock clock)
    {
        if (expected.Type != actual.Type || expected.Children?.Length != actual.Children?.Length || expected.Children is null)
            return false;
        for (int i = 0; i < expected.Children.Length; i += 2)
        {
            string field = expected.Children[i].Text;
            RespNode wanted = expected.Children[i + 1];
            RespNode found = actual.Children![i + 1];
            bool own = field is "server" or "version" or "id" or "modules";
            if (actual.Children[i].Text != field || wanted.Type != found.Type || (!own && !wanted.SameAs(found)))
                return false;
        }

        return true;
    }

    // Fields may be missing, but must be in order; those that depend only on the history must be equal.
    private static bool SameClient(RespNode expected, RespNode actual, ComparisonClock clock)
    {
        (string Name, string Value)[] wanted = ClientFields(expected);
        (string Name, string Value)[] found = ClientFields(actual);
        int next = 0;
        foreach ((string name, string value) in found)
        {
            while (next < wanted.Length && wanted[next].Name != name)
                next++;
            if (next == wanted.Length || (HistoryFields.Contains(name) && wanted[next].Value != value))
                return false;
        }

        return HistoryFields.IsSubsetOf(found.Select(field => field.Name)) || wanted.Length == found.Length;
    }

    private static (string Name, string Value)[] ClientFields(RespNode node) =>
        [.. node.Text.Split('\n')[0].Split(' ').Select(field => field.Split('=', 2)).Select(parts => (parts[0], parts[^1]))];
}
