// The same history through every way in which commands reach the server: equal replies, effects and data. Each test has its own server.
using System.Globalization;
using System.Text.RegularExpressions;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.EndToEnd.Tests.Differential.Origins;

/// <summary>
/// A connection's calls are what the other origins are compared with. A replica's stream and the log's replay have effects as input, which
/// <see cref="ReplicaHistoryTests"/> and <see cref="EffectReplayTests"/> compare.
/// </summary>
public sealed partial class OriginHistoryTests(ITestOutputHelper output)
{
    private const int EpisodesPerFamily = 5;
    private const int FullEpisodes = 1000;
    private const int FirstSeed = 101_000;

    private static readonly string[] Families =
    [
        .. Histories.All.Select(static family => family.Name).Except(["transactions", "connection", "server", "acl", "scripts"]),
    ];

    public static TheoryData<string> Names => [.. Families];

    [Theory]
    [MemberData(nameof(Names))]
    public void A_history_is_the_same_through_every_origin(string family)
    {
        int firstSeed = TestSeed.Choose(output, FirstSeed);
        EffectTape tape = new();
        using var server = TestServer.Start(time: new ManualTimeProvider());
        server.Server.Resp.Store.Maintenance.RemovesExpired = false;
        server.Server.Resp.Store.Changes.Sink = tape;
        foreach ((int seed, Episode episode) in Histories.Episodes(family, firstSeed, FaultScale.Count(EpisodesPerFamily, FullEpisodes)))
        {
            byte[][][] commands = [.. episode.Commands.Where(command => IsForAll(server, command)).Select(static each => each.Arguments)];
            HistoryOrigin[] origins = [new TransactionOrigin(), new ScriptOrigin(), new FunctionOrigin(), new ProcessOrigin()];
            Dictionary<int, OriginRun> expected = [];
            foreach (int protocol in origins.Select(static origin => origin.Protocol).Distinct())
                expected.Add(protocol, Run(server, tape, new ConnectionOrigin(protocol), commands));
            foreach (HistoryOrigin origin in origins)
            {
                OriginRun actual = Run(server, tape, origin, commands);
                string? difference = Difference(server, origin, commands, expected[origin.Protocol], actual);
                Assert.True(difference is null, $"seed {seed}, {origin.GetType().Name}:{Environment.NewLine}{difference}");
            }
        }
    }

    // Neither refused to one of the origins, nor different with every call.
    private static bool IsForAll(TestServer server, Command command)
    {
        const CommandFlags NotForAll =
            CommandFlags.NoScript | CommandFlags.NoMulti | CommandFlags.Blocking | CommandFlags.Admin | CommandFlags.PubSub;
        return command.Arguments.Length > 0
            && Find(server, command.Arguments) is { } found
            && (found.Flags & NotForAll) == 0
            && found.AcceptsArgumentCount(command.Arguments.Length)
            && !found.Descriptor.Tips.Contains("nondeterministic_output")
            && found.Descriptor.Group is not (CommandGroup.Connection or CommandGroup.Server or CommandGroup.Transactions);
    }

    private static Garnet.Engine.Execution.Command? Find(TestServer server, byte[][] command)
    {
        Garnet.Engine.Execution.Command? found = server.Server.Resp.Commands.Find(command[0]);
        return found is { IsContainer: true } && command.Length > 1 ? found.FindSubcommand(command[1]) : found;
    }

    private static OriginRun Run(TestServer server, EffectTape tape, HistoryOrigin origin, byte[][][] commands)
    {
        using RespExchange client = server.Connect();
        Assert.Equal("+OK\r\n", client.ExecuteText("FLUSHALL"));
        Assert.Equal("+OK\r\n", client.ExecuteText("FUNCTION", "FLUSH"));
        origin.Begin(server);
        tape.Clear();
        RespNode[] replies = [.. commands.Select(origin.Call)];
        string effects = tape.ToString();
        origin.Dispose();
        return new OriginRun(replies, effects, DataListing.Of(client));
    }

    private static string? Difference(TestServer server, HistoryOrigin origin, byte[][][] commands, OriginRun expected, OriginRun actual)
    {
        for (int i = 0; i < commands.Length; i++)
        {
            bool isOrdered = !Find(server, commands[i])!.Descriptor.Tips.Contains("nondeterministic_output_order");
            string wanted = Text(expected.Replies[i], isOrdered, origin.Expected);
            string received = Text(actual.Replies[i], isOrdered, static integer => integer);
            if (wanted != received)
                return $"{i}: {string.Join(' ', commands[i].Select(RespText.Quote))}{Environment.NewLine}- {wanted}{Environment.NewLine}+ {received}";
        }

        if (expected.Effects != actual.Effects)
            return $"effects:{Environment.NewLine}{expected.Effects}{Environment.NewLine}instead{Environment.NewLine}{actual.Effects}";
        string[] gone = [.. expected.Data.Except(actual.Data).Select(static line => "- " + line)];
        string[] added = [.. actual.Data.Except(expected.Data).Select(static line => "+ " + line)];
        return gone.Length + added.Length == 0 ? null : string.Join(Environment.NewLine, [.. gone, .. added]);
    }

    // Numbers are equal when their values are; the text of an exception has no bytes that are not UTF-8.
    private static string Text(RespNode reply, bool isOrdered, Func<long, long> integer)
    {
        if (reply.Children is null)
        {
            return reply.Type switch
            {
                ':' => $":{integer(reply.Number!.Value)}",
                '-' => NotAscii().Replace(reply.Canonical(), "?"),
                ',' when double.TryParse(reply.Text, CultureInfo.InvariantCulture, out double value) => $",{value:R}",
                _ => reply.Canonical(),
            };
        }

        IEnumerable<string> parts =
            reply.Type == '%'
                ? reply.Children.Chunk(2).Select(pair => $"{Text(pair[0], isOrdered, integer)}={Text(pair[1], isOrdered, integer)}")
                : reply.Children.Select(child => Text(child, isOrdered, integer));
        if (!isOrdered || reply.Type is '%' or '~')
            parts = parts.Order(StringComparer.Ordinal);
        return $"{reply.Type}{{{string.Join(",", parts)}}}";
    }

    [GeneratedRegex(@"[?\x80-\uffff]+")]
    private static partial Regex NotAscii();
}
