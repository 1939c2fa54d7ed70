// Every command without the right to it, to one of its keys, channels or databases: directly, in transactions, while it waits, and when the
// right is taken away. Each test has its own server in the process.
using System.Text;
using Garnet.EndToEnd.Tests.Differential;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.EndToEnd.Tests.Faults;

public sealed class DeniedCallTests : IDisposable
{
    private const string NoKey = "-NOPERM No permissions to access a key\r\n";
    private const string NoChannel = "-NOPERM No permissions to access a channel\r\n";
    private const string Changed = "-NOPERM ACLs rules changed between the moment the transaction was accumulated and the EXEC call. ";

    // Commands with keys that the generators send rarely or never.
    private static readonly string[][] OwnSamples =
    [
        ["EVAL", "return 1", "2", "k1", "k2"],
        ["EVAL_RO", "return 1", "1", "k1"],
        ["EVALSHA", "e0e1f9fabfc9d4800c877a703b823ac0578ff8db", "2", "k1", "k2"],
        ["EVALSHA_RO", "e0e1f9fabfc9d4800c877a703b823ac0578ff8db", "1", "k1"],
        ["FCALL", "f", "2", "k1", "k2"],
        ["FCALL_RO", "f", "1", "k1"],
        ["MIGRATE", "127.0.0.1", "1", "k1", "0", "100"],
        ["RESTORE-ASKING", "k1", "0", "payload"],
        ["ZSCORE", "k1", "m"],
    ];

    private readonly TestServer _server = TestServer.Start(static options =>
        options.EnableDebugCommand = options.EnableModuleCommand = CommandAccess.Yes
    );
    private readonly RespExchange _admin;
    private readonly RespExchange _guest;
    private readonly ITestOutputHelper _output;
    private readonly HashSet<string> _names = [];
    private readonly HashSet<string> _noMulti = [];

    public DeniedCallTests(ITestOutputHelper output)
    {
        _output = output;
        _admin = _server.Connect();
        _guest = _server.Connect();
        Allow("+@all", "~*", "&*");
        Assert.Equal("+OK\r\n", _guest.ExecuteText("AUTH", "guest", ""));
        foreach (RespNode row in Commands())
        {
            _names.Add(row.Children![0].Text);
            if (Flags(row).Contains("no_multi"))
                _noMulti.Add(row.Children[0].Text);
        }
    }

    public void Dispose()
    {
        _guest.Dispose();
        _admin.Dispose();
        _server.Dispose();
    }

    [Fact]
    public void Every_command_is_denied_by_its_name_and_by_each_of_its_categories()
    {
        int calls = 0;
        foreach (RespNode row in Commands())
        {
            // A command that a client needs to log in is allowed to everybody, as in Valkey.
            if (Flags(row).Contains("no_auth"))
                continue;
            string name = row.Children![0].Text;
            string[] words = name.Split('|');
            string[] call = [.. words, .. Enumerable.Repeat("1", (int)Math.Abs(row.Children[1].Number!.Value) - words.Length)];
            string[] rules = [$"-{name}", $"-{name.Split('|')[0]}", .. row.Children[6].Children!.Select(static each => "-" + each.Text)];
            foreach (string rule in rules)
            {
                Allow("+@all", "~*", "&*", rule);
                AssertDeniedEverywhere(call, $"-NOPERM User guest has no permissions to run the '{name}' command\r\n", $"{name} {rule}");
                calls++;
            }

            // Each of its categories allows it, and none else.
            foreach (RespNode category in row.Children[6].Children!)
            {
                Allow("+" + category.Text);
                string shown = DryRun(call);
                Assert.False(shown.Contains("to run the", StringComparison.Ordinal), $"{name} with {category.Text}: {shown}");
            }
        }

        _output.WriteLine($"{calls} denials");
        Assert.True(calls > 1000, $"{calls}");
    }

    [Fact]
    public void Every_command_is_denied_by_each_of_its_keys()
    {
        int seed = TestSeed.ChooseAnew(_output);
        int calls = 0;
        ILookup<string, (byte[][] Call, (string Key, string[] Flags)[] Keys)> samples = Samples(seed, FaultScale.Count(2, 100));
        foreach ((byte[][] call, (string Key, string[] Flags)[] keys) in samples.SelectMany(static each => each))
        {
            string[] names = [.. keys.Select(static each => each.Key).Distinct()];
            string shown = string.Join(' ', call.Select(RespText.Quote));
            foreach (string denied in names)
            {
                string[] others = [.. names.Where(each => each != denied).Select(static each => "~" + each)];
                bool reads = keys.Any(each => each.Key == denied && each.Flags.Any(static flag => flag is "access"));
                bool writes = keys.Any(each =>
                    each.Key == denied && each.Flags.Any(static flag => flag is "insert" or "delete" or "update")
                );
                Allow(["+@all", .. others]);
                AssertDeniedEverywhere(call, NoKey, shown);
                if (reads)
                {
                    Allow(["+@all", .. others, "%W~" + denied]);
                    AssertDeniedEverywhere(call, NoKey, $"{shown} with the right to write {denied}");
                }

                if (writes)
                {
                    Allow(["+@all", .. others, "%R~" + denied]);
                    AssertDeniedEverywhere(call, NoKey, $"{shown} with the right to read {denied}");
                }

                AssertDeniedAfterQueueing(call, ["+@all", .. others], shown);
                calls++;
            }

            Allow(["+@all", .. names.Select(static each => "~" + each)]);
            // What SORT reads by patterns is every key.
            string allowed = DryRun(call);
            bool isAboutPatterns = call.Any(static each => Encoding.Latin1.GetString(each).ToUpperInvariant() is "BY" or "GET");
            Assert.True(
                allowed == "+OK\r\n" || (isAboutPatterns && shown.StartsWith("SORT", StringComparison.Ordinal)),
                $"{shown}: {allowed}"
            );
        }

        string[] withKeys = [.. Commands().Where(HasKeys).Select(static row => row.Children![0].Text)];
        _output.WriteLine($"{samples.Count} of {withKeys.Length} commands, {calls} denials");
        Assert.Empty(withKeys.Except(samples.Select(static each => each.Key)));
    }

    [Theory]
    [InlineData("PUBLISH", "news", "m")]
    [InlineData("SPUBLISH", "news", "m")]
    [InlineData("SUBSCRIBE", "news")]
    [InlineData("SUBSCRIBE", "other", "news")]
    [InlineData("SSUBSCRIBE", "news")]
    [InlineData("PSUBSCRIBE", "n*")]
    [InlineData("PSUBSCRIBE", "other", "n*")]
    [InlineData("PSUBSCRIBE", "*")]
    public void Channels_are_denied(params string[] call)
    {
        byte[][] bytes = [.. call.Select(Encoding.ASCII.GetBytes)];
        foreach (
            string[] rules in (string[][])
                [
                    ["+@all", "~*"],
                    ["+@all", "~*", "&other"],
                    ["+@all", "~*", "&new", "&newsx", "&n?ws?"],
                ]
        )
        {
            if (call.Contains("other") && rules.Length == 2)
                continue;
            Allow(rules);
            AssertDeniedEverywhere(bytes, NoChannel, string.Join(' ', call));
            AssertDeniedAfterQueueing(bytes, rules, string.Join(' ', call));
        }

        Assert.Equal("*0\r\n", _admin.ExecuteText("PUBSUB", "CHANNELS"));
        Assert.Equal(":0\r\n", _admin.ExecuteText("PUBSUB", "NUMPAT"));
    }

    [Theory]
    [InlineData("SELECT", "1")]
    [InlineData("COPY", "a", "b", "DB", "1")]
    [InlineData("MOVE", "a", "1")]
    [InlineData("SWAPDB", "0", "1")]
    [InlineData("FLUSHALL")]
    public void Databases_are_denied(params string[] call)
    {
        byte[][] bytes = [.. call.Select(Encoding.ASCII.GetBytes)];
        string denial = "-NOPERM No permissions to access database\r\n";
        Allow("+@all", "~*", "&*", "db=0");
        AssertDeniedEverywhere(bytes, denial, string.Join(' ', call));
        AssertDeniedAfterQueueing(bytes, ["+@all", "~*", "&*", "db=0"], string.Join(' ', call));
    }

    [Theory]
    [InlineData("RPUSH", "BLPOP", "q", "0")]
    [InlineData("RPUSH", "BRPOP", "q", "0")]
    [InlineData("RPUSH", "BLMOVE", "q", "d", "LEFT", "LEFT", "0")]
    [InlineData("RPUSH", "BRPOPLPUSH", "q", "d", "0")]
    [InlineData("RPUSH", "BLMPOP", "0", "1", "q", "LEFT")]
    [InlineData("ZADD", "BZPOPMIN", "q", "0")]
    [InlineData("ZADD", "BZPOPMAX", "q", "0")]
    [InlineData("ZADD", "BZMPOP", "0", "1", "q", "MIN")]
    [InlineData("XADD", "XREAD", "BLOCK", "0", "STREAMS", "q", "$")]
    [InlineData("XADD", "XREADGROUP", "GROUP", "g", "c", "BLOCK", "0", "STREAMS", "q", ">")]
    public void What_waits_is_denied_when_the_right_to_its_key_or_to_itself_is_gone(string write, params string[] call)
    {
        string[] element = write switch
        {
            "RPUSH" => ["RPUSH", "q", "e"],
            "ZADD" => ["ZADD", "q", "1", "e"],
            _ => ["XADD", "q", "*", "f", "v"],
        };
        string name = call[0].ToLowerInvariant();
        foreach (
            (string rule, string denial) in (ReadOnlySpan<(string, string)>)
                [("resetkeys", NoKey), ("-" + name, $"-NOPERM User guest has no permissions to run the '{name}' command\r\n")]
        )
        {
            Allow("+@all", "~*");
            _admin.Execute("DEL", "q", "d");
            if (write == "XADD")
                _admin.Execute("XGROUP", "CREATE", "q", "g", "$", "MKSTREAM");
            _guest.Send(RespExchange.Encode([.. call.Select(Encoding.ASCII.GetBytes)]));
            FaultTarget.Await(
                () => _admin.ExecuteText("INFO", "clients").Contains("blocked_clients:1\r\n", StringComparison.Ordinal),
                () => "It must wait."
            );
            Assert.Equal("+OK\r\n", _admin.ExecuteText("ACL", "SETUSER", "guest", rule));
            _admin.Execute(element);
            Assert.Equal(denial, Encoding.ASCII.GetString(_guest.ReadReply()!));
            Assert.Equal(":1\r\n", _admin.ExecuteText("EXISTS", "q", "d"));
        }
    }

    [Fact]
    public async Task A_right_that_is_taken_away_is_gone_for_the_next_command()
    {
        const int guests = 8;
        int rounds = FaultScale.Count(30, 2000);
        int changes = 0; // odd while the right is taken away
        bool isOver = false;
        long allowed = 0;
        long denied = 0;
        Allow("+@all", "~*");
        _admin.Execute("SET", "k", "v");
        Task[] all =
        [
            .. Enumerable
                .Range(0, guests)
                .Select(_ =>
                    Task.Run(() =>
                    {
                        using RespExchange guest = _server.Connect();
                        Assert.Equal("+OK\r\n", guest.ExecuteText("AUTH", "guest", ""));
                        while (!Volatile.Read(ref isOver))
                        {
                            int change = Volatile.Read(ref changes);
                            string reply = guest.ExecuteText("GET", "k");
                            // What was sent after the answer to ACL SETUSER, and answered before the right came back.
                            if (int.IsOddInteger(change) && Volatile.Read(ref changes) == change)
                            {
                                Assert.Equal(NoKey, reply);
                                Interlocked.Increment(ref denied);
                            }
                            else if (reply == "$1\r\nv\r\n")
                            {
                                Interlocked.Increment(ref allowed);
                            }
                        }
                    })
                ),
        ];
        for (int i = 0; i < rounds; i++)
        {
            long before = Volatile.Read(ref denied);
            Assert.Equal("+OK\r\n", _admin.ExecuteText("ACL", "SETUSER", "guest", "resetkeys"));
            Interlocked.Increment(ref changes);
            SpinWait.SpinUntil(() => Volatile.Read(ref denied) > before + guests || all.Any(static each => each.IsFaulted));
            Interlocked.Increment(ref changes);
            before = Volatile.Read(ref allowed);
            Assert.Equal("+OK\r\n", _admin.ExecuteText("ACL", "SETUSER", "guest", "~*"));
            SpinWait.SpinUntil(() => Volatile.Read(ref allowed) > before || all.Any(static each => each.IsFaulted));
        }

        Volatile.Write(ref isOver, true);
        await Task.WhenAll(all);
        _output.WriteLine($"{rounds} rounds, {denied} denials");
    }

    private void Allow(params string[] rules) =>
        Assert.Equal("+OK\r\n", _admin.ExecuteText(["ACL", "SETUSER", "guest", "reset", "on", "nopass", .. rules]));

    private string DryRun(byte[][] call) => Encoding.Latin1.GetString(_admin.Execute([.. Words("ACL", "DRYRUN", "guest"), .. call])!);

    private string DryRun(string[] call) => DryRun(Words(call));

    private void AssertDeniedEverywhere(string[] call, string denial, string what) => AssertDeniedEverywhere(Words(call), denial, what);

    private void AssertDeniedEverywhere(byte[][] call, string denial, string what)
    {
        string refusal = Ask(call);
        // EXEC says so in its own way, as in Valkey.
        string expected = NameOf(call) == "exec" ? $"-EXECABORT Transaction discarded because of: {denial[1..]}" : denial;
        Assert.True(refusal == expected, $"{what}: {refusal}");
        Assert.NotEqual("+OK\r\n", DryRun(call));
        // The rule may deny MULTI or EXEC as well.
        if (Ask(Words("MULTI")) == "+OK\r\n")
        {
            string reply = Ask(call);
            string name = NameOf(call);
            // Some commands are refused in every transaction, whatever the user may do, as in Valkey.
            bool isRefusedToAll =
                _noMulti.Contains(name)
                && reply.StartsWith("-ERR Command '", StringComparison.Ordinal)
                && reply.EndsWith("' not allowed inside a transaction\r\n", StringComparison.Ordinal);
            bool isExec = name == "exec" && reply.StartsWith("-EXECABORT ", StringComparison.Ordinal);
            Assert.True(denial == reply || isRefusedToAll || isExec, $"{what} in a transaction: {reply}");
            if (!isExec)
                Assert.Matches("^-(EXECABORT|NOPERM) ", Ask(Words("EXEC")));
        }

        Assert.Equal("+RESET\r\n", Ask(Words("RESET")));
        Assert.Equal("+OK\r\n", Ask(Words("AUTH", "guest", "")));
    }

    // Allowed when it is queued, denied when it is to run. A command that cannot be queued is left.
    private void AssertDeniedAfterQueueing(byte[][] call, string[] rules, string what)
    {
        Allow("+@all", "~*", "&*");
        Assert.Equal("+OK\r\n", Ask(Words("MULTI")));
        bool isQueued = Ask(call) == "+QUEUED\r\n";
        Allow(rules);
        string reply = Ask(Words(isQueued ? "EXEC" : "DISCARD"));
        if (isQueued)
            Assert.True(reply.StartsWith("*1\r\n" + Changed, StringComparison.Ordinal), $"{what}, revoked in the transaction: {reply}");
    }

    private string Ask(byte[][] call) => Encoding.Latin1.GetString(_guest.Execute(call) ?? throw new EndOfStreamException());

    private List<RespNode> Commands()
    {
        List<RespNode> all = [];
        foreach (RespNode row in RespNode.Parse(_admin.Execute("COMMAND")!).Children!)
        {
            if (row.Children![9].Children is { Length: > 0 } subcommands)
                all.AddRange(subcommands);
            else
                all.Add(row);
        }

        return all;
    }

    private static HashSet<string> Flags(RespNode row) => [.. row.Children![2].Children!.Select(static each => each.Text)];

    // Some calls with keys of each command, most from the generators of random histories.
    private ILookup<string, (byte[][] Call, (string Key, string[] Flags)[] Keys)> Samples(int seed, int perCommand)
    {
        var found = new Dictionary<string, List<(byte[][], (string, string[])[])>>();
        Allow("+@all");
        foreach (byte[][] call in OwnSamples.Select(Words))
            found.Add(NameOf(call), [(call, Keys(call))]);
        for (int i = 0; i < 10 * perCommand; i++)
        {
            foreach (Family family in Family.All.Where(static each => each.Name is not ("acl" or "conditions" or "mixed")))
            {
                foreach (Command command in family.Generate(seed + i, Dialect.Valkey91).Commands)
                {
                    string name = NameOf(command.Arguments);
                    if (
                        !_names.Contains(name)
                        || (found.TryGetValue(name, out List<(byte[][], (string, string[])[])>? enough) && enough.Count == perCommand)
                    )
                    {
                        continue;
                    }

                    if (Keys(command.Arguments) is { Length: > 0 } keys)
                    {
                        if (!found.TryGetValue(name, out List<(byte[][], (string, string[])[])>? calls))
                            found.Add(name, calls = []);
                        calls.Add((command.Arguments, keys));
                    }
                }
            }
        }

        return found
            .SelectMany(static pair => pair.Value.Select(each => (pair.Key, each)))
            .ToLookup(static each => each.Key, static each => each.each);
    }

    // The keys of a call, if all of them can be written as patterns of rules. While the guest may use no key.
    private (string Key, string[] Flags)[] Keys(byte[][] call)
    {
        var reply = RespNode.Parse(_admin.Execute([.. Words("COMMAND", "GETKEYSANDFLAGS"), .. call])!);
        (string Key, string[] Flags)[] keys =
        [
            .. (reply.Children ?? []).Select(static each =>
                (each.Children![0].Text, each.Children[1].Children!.Select(static flag => flag.Text).ToArray())
            ),
        ];
        if (!keys.All(static each => each.Key.Length > 0 && each.Key.All(static c => char.IsAsciiLetterOrDigit(c) || c == ':')))
            return [];
        if (keys.Length == 0 || DryRun(call) != "+OK\r\n")
            return keys;
        // Keys can be found in what only resembles a call; it has none if it is refused before it looks at them.
        string answer = Encoding.Latin1.GetString(_admin.Execute(call)!);
        Assert.True(answer.StartsWith("-ERR ", StringComparison.Ordinal), $"{string.Join(' ', call.Select(RespText.Quote))}: {answer}");
        return [];
    }

    private string NameOf(byte[][] call)
    {
        string name = Encoding.Latin1.GetString(call[0]).ToLowerInvariant();
        return _names.Contains(name) || call.Length == 1 ? name : $"{name}|{Encoding.Latin1.GetString(call[1]).ToLowerInvariant()}";
    }

    // Names of shard channels are no keys, though the description of their commands lists them.
    private static bool HasKeys(RespNode row) =>
        row.Children![8].Children!.Any(static spec => !Fields(spec)["flags"].Children!.Any(static flag => flag.Text == "not_key"));

    private static Dictionary<string, RespNode> Fields(RespNode map) =>
        map.Children!.Chunk(2).ToDictionary(static pair => pair[0].Text, static pair => pair[1]);

    private static byte[][] Words(params string[] words) => [.. words.Select(Encoding.ASCII.GetBytes)];
}
