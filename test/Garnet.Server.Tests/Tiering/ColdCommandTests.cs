// Commands on values that are on disk: the same replies and the same data as in memory.
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Tests.Persistence;
using Garnet.Server.Tiering;
using Garnet.Store.Tiering;
using Garnet.Testing;
using Xunit;

namespace Garnet.Server.Tests.Tiering;

public sealed class ColdCommandTests : IDisposable
{
    private const string Setup =
        "SET s abcdefghij|SET n 41|SET t ohmytext|SET u mynewtext|SETEX e 1000 expiring|SETBIT b 7 1|HSET h f 1 g two i 3.5|SADD a x y z|SADD c y z w|SADD d 1 2 3|PFADD p 1 2 3|PFADD q 3 4|RPUSH l 3 1 2|MSET s1 one s2 two s3 three";

    // Every command that can be called with a string, a hash or a set: the test below finds those that are missing.
    private static readonly string[] Commands =
    [
        "APPEND s more",
        "BITCOUNT s",
        "BITFIELD b GET u8 0 INCRBY u8 0 1",
        "BITFIELD_RO b GET u8 0",
        "BITOP OR r s b",
        "BITPOS b 1",
        "COPY s r",
        "COPY h r",
        "COPY s n REPLACE",
        "DECR n",
        "DECRBY n 3",
        "DEL s h",
        "DELIFEQ s abcdefghij",
        "DELIFEQ s other",
        "DUMP s",
        "DUMP h",
        "EVAL return(redis.call('GET',KEYS[1])) 1 s",
        "EVAL return(redis.call('GET','s')) 0",
        "EVAL_RO return(redis.call('HGET',KEYS[1],'f')) 1 h",
        "EXISTS s h nothing",
        "EXPIRE s 100",
        "EXPIREAT s 9999999999",
        "EXPIRETIME e",
        "GET s",
        "GET h",
        "GETBIT b 7",
        "GETDEL s",
        "GETEX s EX 50",
        "GETRANGE s 1 3",
        "GETSET s new",
        "HDEL h f",
        "HEXISTS h f",
        "HEXPIRE h 100 FIELDS 1 f",
        "HEXPIREAT h 9999999999 FIELDS 1 f",
        "HEXPIRETIME h FIELDS 1 f",
        "HGET h f",
        "HGETALL h",
        "HGETDEL h FIELDS 1 f",
        "HGETEX h EX 100 FIELDS 1 f",
        "HINCRBY h f 5",
        "HINCRBYFLOAT h i 0.5",
        "HKEYS h",
        "HLEN h",
        "HMGET h f g",
        "HMSET h k v",
        "HPERSIST h FIELDS 1 f",
        "HPEXPIRE h 100000 FIELDS 1 f",
        "HPEXPIREAT h 9999999999000 FIELDS 1 f",
        "HPEXPIRETIME h FIELDS 1 f",
        "HPTTL h FIELDS 1 f",
        "HRANDFIELD h 10",
        "HSCAN h 0",
        "HSET h f changed",
        "HSETEX h EX 100 FIELDS 1 f 9",
        "HSETNX h f 9",
        "HSTRLEN h g",
        "HTTL h FIELDS 1 f",
        "HVALS h",
        "INCR n",
        "INCRBY n 2",
        "INCRBYFLOAT n 1.5",
        "LCS t u",
        "MGET s n h",
        "MOVE s 1",
        "MSET s 1 n 2",
        "MSETEX 1 s 1 EX 100",
        "MSETNX s 1 new 2",
        "OBJECT ENCODING s",
        "OBJECT ENCODING h",
        "OBJECT ENCODING d",
        "OBJECT IDLETIME s",
        "OBJECT REFCOUNT s",
        "PERSIST e",
        "PEXPIRE s 100000",
        "PEXPIREAT s 9999999999000",
        "PEXPIRETIME e",
        "PFADD p 9",
        "PFCOUNT p q",
        "PFMERGE p q",
        "PSETEX s 100000 new",
        "PTTL e",
        "RENAME s r",
        "RENAME h s",
        "RENAMENX s r",
        "SADD a new",
        "SCARD a",
        "SDIFF a c",
        "SDIFFSTORE r a c",
        "SDIFFSTORE s a c",
        "SET s new",
        "SET s new GET",
        "SET s new IFEQ abcdefghij",
        "SET s new IFEQ other",
        "SET s new NX",
        "SET s new XX KEEPTTL",
        "SETBIT s 3 1",
        "SETEX s 100 new",
        "SETNX s new",
        "SETRANGE s 3 XYZ",
        "SINTER a c",
        "SINTERCARD 2 a c",
        "SINTERSTORE r a c",
        "SISMEMBER a x",
        "SMEMBERS d",
        "SMISMEMBER a x nothing",
        "SMOVE a c x",
        "SORT d DESC",
        "SORT d BY nosort GET n STORE r",
        "SORT l BY nosort GET s*",
        "SORT_RO d",
        "SPOP d 3",
        "SRANDMEMBER d 10",
        "SREM a x",
        "SSCAN a 0",
        "STRLEN s",
        "SUBSTR s 1 3",
        "SUNION a c",
        "SUNIONSTORE r a c",
        "TOUCH s h",
        "TTL e",
        "TYPE s",
        "TYPE h",
        "UNLINK s a",
        "WATCH s",
    ];

    private readonly InProcessServer _warm = new(hashSeed: 5);
    private readonly InProcessServer _cold = new(hashSeed: 5);

    public ColdCommandTests()
    {
        var tier = ColdTier.Open(_cold.Store, TierSweep.SmallSizes, new MemoryTierDevice());
        _cold.Server.Executor.Gates.ColdValues.Source = new TierValueSource(_cold.Store);
        Assert.NotNull(tier);
    }

    public static TheoryData<string> Calls => [.. Commands];

    public void Dispose()
    {
        _warm.Dispose();
        _cold.Dispose();
    }

    [Theory]
    [MemberData(nameof(Calls))]
    public void A_command_answers_and_does_the_same(string command)
    {
        foreach (string line in Setup.Split('|'))
        {
            _warm.Call(line.Split(' '));
            _cold.Call(line.Split(' '));
        }

        Assert.True(TierSweep.MoveAll(_cold.Store) >= 10);
        long reads = _cold.Store.Tier!.Statistics.Reads;
        string[] arguments = command.Split(' ');
        Assert.Equal(_warm.Call(arguments), Call(arguments));
        bool hasRead = _cold.Store.Tier.Statistics.Reads > reads;
        Assert.True(hasRead || IgnoresValues(arguments), "The command has read nothing, and does not say so.");
        Assert.Equal(Data(_warm.Call), Data(Call));
        TierSweep.Check(_cold.Store);
    }

    // Of the families whose values may be on disk.
    [Fact]
    public void Every_command_on_such_values_is_called()
    {
        CommandGroup[] groups =
        [
            CommandGroup.String,
            CommandGroup.Hash,
            CommandGroup.Set,
            CommandGroup.Bitmap,
            CommandGroup.HyperLogLog,
            CommandGroup.Generic,
        ];
        // Those without keys of their own, those for other servers, and what needs a payload or the disk.
        string[] others = ["RANDOMKEY", "SCAN", "KEYS", "WAIT", "WAITAOF", "MIGRATE", "RESTORE", "PFSELFTEST", "PFDEBUG", "OBJECT"];
        IEnumerable<string> called = Commands.Select(static line => line.Split(' ')[0]);
        IEnumerable<string> all = _warm
            .Server.Commands.Commands.Where(command => command.Parent is null && groups.Contains(command.Descriptor.Group))
            .Select(static command => command.Descriptor.Name);
        Assert.Empty(all.Except(called).Except(others));
    }

    [Fact]
    public void Queued_commands_wait_together_at_EXEC()
    {
        _cold.Call("SET", "s", "value");
        _cold.Call("HSET", "h", "f", "1");
        TierSweep.MoveAll(_cold.Store);
        _cold.Call("MULTI");
        _cold.Call("GET", "s");
        _cold.Call("HINCRBY", "h", "f", "1");
        _cold.Call("SET", "s", "other");
        Assert.Equal(2, _cold.Store.Tier!.Statistics.ColdKeys);
        Assert.Equal("*3\r\n$5\r\nvalue\r\n:2\r\n+OK\r\n", Call("EXEC"));
        TierSweep.Check(_cold.Store);
    }

    [Fact]
    public void A_watched_key_is_not_touched_by_moving()
    {
        _cold.Call("SET", "s", "value");
        _cold.Call("WATCH", "s");
        TierSweep.MoveAll(_cold.Store);
        _cold.Call("MULTI");
        _cold.Call("GET", "s");
        Assert.Equal("*1\r\n$5\r\nvalue\r\n", Call("EXEC"));
    }

    [Fact]
    public void Moving_is_no_change_for_observers_and_effects()
    {
        using InProcessServer server = new(options => options.NotifyKeyspaceEvents = "KEA", recordEffects: true);
        var tier = ColdTier.Open(server.Store, TierSweep.SmallSizes, new MemoryTierDevice());
        server.Server.Executor.Gates.ColdValues.Source = new TierValueSource(server.Store);
        server.Call("SET", "s", "value");
        InProcessClient listener = server.Connect();
        listener.Call("PSUBSCRIBE", "*");
        server.Effects.Take();
        TierSweep.MoveAll(server.Store);
        Assert.Equal("$5\r\nvalue\r\n", server.Call("GET", "s"));
        Assert.Equal(1, tier.Statistics.MovedIn);
        Assert.Equal("", listener.Receive());
        Assert.Empty(server.Effects.Take());
    }

    [Fact]
    public void A_value_that_cannot_be_read_is_an_error_until_it_is_overwritten()
    {
        using InProcessServer server = new();
        MemoryTierDevice device = new();
        ColdTier.Open(server.Store, TierSweep.SmallSizes, device);
        server.Server.Executor.Gates.ColdValues.Source = new TierValueSource(server.Store);
        server.Call("SET", "s", "value");
        TierSweep.MoveAll(server.Store);
        device.ReadError = 5;
        Assert.Equal("-IOERR the value is on disk and cannot be read\r\n", server.Call("GET", "s"));
        Assert.Equal(":5\r\n", server.Call("EXISTS", "s", "s", "s", "s", "s"));
        Assert.Equal("+OK\r\n", server.Call("SET", "s", "new"));
        Assert.Equal("$3\r\nnew\r\n", server.Call("GET", "s"));
    }

    [Fact]
    public void Requests_wait_in_their_order_without_holding_others_up()
    {
        using InProcessServer server = new();
        MemoryTierDevice device = new();
        ColdTier.Open(server.Store, TierSweep.SmallSizes, device);
        server.Server.Executor.Gates.ColdValues.Source = new TierValueSource(server.Store);
        server.Call("MSET", "s", "value", "t", "other");
        TierSweep.MoveAll(server.Store);
        server.Call("SET", "warm", "1");
        device.Holds = true;
        server.Client.Send(InProcessClient.Request("GET", "s"));
        server.Client.Send(InProcessClient.Request("GET", "warm"));
        Assert.Equal("", server.Client.Receive());
        Assert.Equal("+OK\r\n", server.Connect().Call("SET", "warm", "2"));
        device.Holds = false;
        device.Answer();
        string replies = LoggedServer.Await(server.Client);
        LoggedServer.Await(() => (replies += server.Client.Receive()).Length == 18);
        Assert.Equal("$5\r\nvalue\r\n$1\r\n2\r\n", replies);
    }

    private string Call(params string[] arguments)
    {
        string reply = _cold.Call(arguments);
        return reply.Length > 0 ? reply : LoggedServer.Await(_cold.Client);
    }

    private bool IgnoresValues(string[] arguments)
    {
        Command command = _cold.Server.Commands.Find(System.Text.Encoding.ASCII.GetBytes(arguments[0]))!;
        if (command.IsContainer)
            command = command.FindSubcommand(System.Text.Encoding.ASCII.GetBytes(arguments[1]))!;
        const KeySpecFlags Blind = KeySpecFlags.OW | KeySpecFlags.RM;
        return command.Has(CommandTraits.IgnoresValue)
            || command.FullName == "set"
            || command.Descriptor.Keys.All(static spec => (spec.Flags & Blind) != 0);
    }

    private static string Data(Func<string[], string> call)
    {
        IEnumerable<string> keys = call(["KEYS", "*"])
            .Split("\r\n")
            .Where(static line => line.Length > 0 && line[0] is not ('*' or '$'))
            .Order(StringComparer.Ordinal);
        return string.Concat(keys.Select(key => $"{key} {call(["PEXPIRETIME", key])} {call(["DUMP", key])}"));
    }
}
