// EXEC: replies, errors, effects, databases. One thread.
using Xunit;

namespace Garnet.Server.Tests.Commands.Transactions;

public sealed class ExecCommandTests
{
    private const string Aborted = "-EXECABORT Transaction discarded because of previous errors.\r\n";

    [Fact]
    public void Replies_with_an_array_of_the_replies()
    {
        using InProcessServer server = new();
        server.Call("MULTI");
        server.Call("SET", "a", "1");
        server.Call("GET", "a");
        server.Call("DEL", "a", "b");
        Assert.Equal("*3\r\n+OK\r\n$1\r\n1\r\n:1\r\n", server.Call("EXEC"));
        Assert.Equal("$-1\r\n", server.Call("GET", "a"));
    }

    [Theory]
    [InlineData("SORT l BY w_* GET w_* GET #", "*4\r\n$1\r\n1\r\n$1\r\nb\r\n$1\r\n2\r\n$1\r\na\r\n")]
    [InlineData("SORT_RO l BY w_*", "*2\r\n$1\r\nb\r\n$1\r\na\r\n")]
    [InlineData("SORT l BY w_* STORE to", ":2\r\n")]
    [InlineData("SORT l ALPHA STORE STORE ALPHA", ":2\r\n")]
    public void SORT_reads_keys_in_a_transaction_that_it_does_not_name(string command, string reply)
    {
        using InProcessServer server = new();
        server.Call("RPUSH", "l", "a", "b");
        server.Call("MSET", "w_a", "2", "w_b", "1");
        server.Call("MULTI");
        server.Call(command.Split(' '));
        server.Call("LLEN", "l");
        Assert.Equal($"*2\r\n{reply}:2\r\n", server.Call("EXEC"));
    }

    [Fact]
    public void Needs_MULTI()
    {
        using InProcessServer server = new();
        Assert.Equal("-ERR EXEC without MULTI\r\n", server.Call("EXEC"));
        server.Call("MULTI");
        Assert.Equal("*0\r\n", server.Call("EXEC"));
        Assert.Equal("-ERR EXEC without MULTI\r\n", server.Call("EXEC"));
    }

    [Fact]
    public void An_error_of_one_command_does_not_keep_the_others_from_running()
    {
        using InProcessServer server = new();
        server.Call("MULTI");
        server.Call("SET", "a", "1");
        server.Call("EXPIRE", "a", "no number");
        server.Call("SET", "b", "2");
        Assert.Equal("*3\r\n+OK\r\n-ERR value is not an integer or out of range\r\n+OK\r\n", server.Call("EXEC"));
        Assert.Equal(":2\r\n", server.Call("EXISTS", "a", "b"));
    }

    [Fact]
    public void A_wrong_argument_count_ends_the_transaction()
    {
        using InProcessServer server = new();
        const string refused = "-EXECABORT Transaction discarded because of: wrong number of arguments for 'exec' command\r\n";
        Assert.Equal(refused, server.Call("EXEC", "now"));
        server.Call("MULTI");
        Assert.Equal(refused, server.Call("EXEC", "now"));
        Assert.Equal("-ERR EXEC without MULTI\r\n", server.Call("EXEC"));
    }

    [Theory]
    [InlineData("NOSUCH")]
    [InlineData("SET a")]
    [InlineData("OBJECT NOSUCH a")]
    [InlineData("DISCARD now")]
    public void A_command_refused_at_queueing_aborts_it(string command)
    {
        using InProcessServer server = new();
        server.Call("MULTI");
        Assert.StartsWith("-ERR", server.Call(command.Split(' ')), StringComparison.Ordinal);
        Assert.Equal(Aborted, server.Call("EXEC"));
        Assert.Equal("+OK\r\n", server.Call("SET", "a", "1"));
    }

    [Fact]
    public void Commands_that_take_several_keys_use_the_latches_there()
    {
        using InProcessServer server = new();
        server.Call("SET", "a", "1");
        server.Call("SET", "b", "2");
        server.Call("MULTI");
        server.Call("EXISTS", "a", "b", "c");
        server.Call("RENAME", "a", "c");
        server.Call("RENAMENX", "b", "c");
        server.Call("DEL", "b", "a");
        server.Call("TOUCH", "c", "b");
        Assert.Equal("*5\r\n:2\r\n+OK\r\n:0\r\n:1\r\n:1\r\n", server.Call("EXEC"));
    }

    [Fact]
    public void Commands_on_the_whole_keyspace_run_inside_it()
    {
        using InProcessServer server = new();
        server.Call("SET", "a", "1");
        server.Call("MULTI");
        server.Call("DBSIZE");
        server.Call("KEYS", "*");
        server.Call("RANDOMKEY");
        server.Call("SCAN", "0");
        server.Call("COPY", "a", "b");
        server.Call("MOVE", "a", "1");
        server.Call("SWAPDB", "0", "1");
        server.Call("KEYS", "*");
        server.Call("FLUSHDB");
        server.Call("DBSIZE");
        server.Call("FLUSHALL");
        server.Call("SELECT", "1");
        server.Call("DBSIZE");
        string[] replies =
        [
            ":1\r\n",
            "*1\r\n$1\r\na\r\n",
            "$1\r\na\r\n",
            "*2\r\n$1\r\n0\r\n*1\r\n$1\r\na\r\n",
            ":1\r\n",
            ":1\r\n",
            "+OK\r\n",
            "*1\r\n$1\r\na\r\n",
            "+OK\r\n",
            ":0\r\n",
            "+OK\r\n",
            "+OK\r\n",
            ":0\r\n",
        ];
        Assert.Equal($"*{replies.Length}\r\n" + string.Concat(replies), server.Call("EXEC"));
    }

    [Fact]
    public void SELECT_inside_counts_for_the_commands_after_it_and_stays()
    {
        using InProcessServer server = new();
        server.Call("MULTI");
        server.Call("SET", "a", "0");
        server.Call("SELECT", "1");
        server.Call("SET", "a", "1");
        server.Call("SELECT", "16");
        server.Call("GET", "a");
        Assert.Equal("*5\r\n+OK\r\n+OK\r\n+OK\r\n-ERR DB index is out of range\r\n$1\r\n1\r\n", server.Call("EXEC"));
        Assert.Equal("$1\r\n1\r\n", server.Call("GET", "a"));
        server.Call("SELECT", "0");
        Assert.Equal("$1\r\n0\r\n", server.Call("GET", "a"));
    }

    [Fact]
    public void Several_effects_are_one_group_and_a_single_one_is_not_wrapped()
    {
        using InProcessServer server = new(recordEffects: true);
        server.Call("MULTI");
        server.Call("SET", "a", "1");
        server.Call("GET", "a");
        server.Call("EXPIRE", "a", "10");
        server.Call("EXEC");
        Assert.Equal([$"MULTI; SET a 1; PEXPIREAT a {server.NowMs + 10_000}; EXEC"], server.Effects.Take());

        server.Call("MULTI");
        server.Call("GET", "a");
        server.Call("DEL", "a");
        server.Call("EXEC");
        Assert.Equal(["DEL a"], server.Effects.Take());

        server.Call("MULTI");
        server.Call("GET", "a");
        server.Call("DEL", "a");
        server.Call("EXEC");
        Assert.Empty(server.Effects.Take());
    }

    [Fact]
    public void Effects_in_several_databases_begin_and_end_in_the_one_selected_before()
    {
        using InProcessServer server = new(recordEffects: true);
        server.Call("MULTI");
        server.Call("SELECT", "3");
        server.Call("GET", "a");
        server.Call("SELECT", "2");
        server.Call("SET", "a", "1");
        server.Call("SELECT", "3");
        server.Call("EXEC");
        Assert.Equal(["MULTI; SELECT 2; SET a 1; SELECT 0; EXEC"], server.Effects.Take());

        server.Call("MULTI");
        server.Call("SELECT", "1");
        server.Call("DEL", "a");
        server.Call("EXEC");
        Assert.Empty(server.Effects.Take());
        server.Call("SET", "a", "1");
        Assert.Equal(["SET a 1"], server.Effects.Take());
    }

    [Fact]
    public void A_flush_inside_keeps_its_place_among_the_effects()
    {
        using InProcessServer server = new(recordEffects: true);
        server.Call("MULTI");
        server.Call("SET", "a", "1");
        server.Call("FLUSHALL");
        server.Call("SET", "b", "1");
        server.Call("EXEC");
        Assert.Equal(["MULTI; SET a 1; FLUSHALL; SET b 1; EXEC"], server.Effects.Take());
    }

    [Fact]
    public void In_RESP3_a_touched_key_gives_the_one_null()
    {
        using InProcessServer server = new();
        InProcessClient client = server.Connect(protocolVersion: 3);
        client.Call("WATCH", "a");
        server.Call("SET", "a", "1");
        client.Call("MULTI");
        Assert.Equal("_\r\n", client.Call("EXEC"));
    }

    [Fact]
    public void Exhausted_memory_discards_a_transaction_that_would_take_more()
    {
        using InProcessServer server = new();
        server.Call("MULTI");
        server.Call("SET", "a", "1");
        server.Store.Budget.MaxBytes = 1;
        Assert.Equal(
            "-EXECABORT Transaction discarded because of: OOM command not allowed when used memory > 'maxmemory'.\r\n",
            server.Call("EXEC")
        );
        Assert.Equal("-ERR EXEC without MULTI\r\n", server.Call("EXEC"));
        server.Call("MULTI");
        server.Call("DEL", "a");
        Assert.Equal("*1\r\n:0\r\n", server.Call("EXEC"));
        server.Call("MULTI");
        Assert.StartsWith("-OOM", server.Call("SET", "a", "1"), StringComparison.Ordinal);
        Assert.Equal(Aborted, server.Call("EXEC"));
    }

    [Fact]
    [Trait("Values", "InMemory")]
    public void Allocates_nothing()
    {
        using InProcessServer server = new();
        Allocations.AssertNone(
            server,
            InProcessClient.Request("MULTI"),
            InProcessClient.Request("SET", "a", "1"),
            InProcessClient.Request("EXISTS", "a", "b", "c"),
            InProcessClient.Request("EXEC")
        );
    }

    [Fact]
    public void A_pause_of_writes_holds_back_only_a_transaction_that_writes()
    {
        using InProcessServer server = new();
        InProcessClient reader = server.Connect();
        InProcessClient writer = server.Connect();
        reader.Call("MULTI");
        reader.Call("GET", "a");
        writer.Call("MULTI");
        writer.Call("SET", "a", "1");
        server.Server.Clients.Pause.Begin(server.NowMs + 1000, onlyWrites: true, server.NowMs);
        Assert.Equal("*1\r\n$-1\r\n", reader.Call("EXEC"));
        Assert.Equal("", writer.Call("EXEC"));
        server.Server.Clients.Pause.Lift();
        Assert.Equal("*1\r\n+OK\r\n", Later.Receive(writer));
    }
}
