// MIGRATE with a target that does what a test says: errors, silence, hostile replies, and keys that change meanwhile. One thread, and the
// server's task.
using System.Globalization;
using System.Text;
using Garnet.Server.Tests.Migration;
using Xunit;

namespace Garnet.Server.Tests.Commands.Keys;

public sealed class MigrateCommandTests : IDisposable
{
    private const string ConnectError = "-IOERR error or timeout connecting to the client\r\n";
    private const string ReadError = "-IOERR error or timeout reading to target instance\r\n";
    private const string UnexpectedReply = "-IOERR unexpected reply from target instance\r\n";
    private const int ResendLimit = 16;

    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);

    private readonly ScriptedTarget _target = new();
    private readonly InProcessServer _server;

    public MigrateCommandTests() => _server = new InProcessServer(recordEffects: true, connector: _target);

    public void Dispose() => _server.Dispose();

    [Fact]
    public void A_key_is_moved_with_its_expiry_and_its_effect_is_DEL()
    {
        _server.Call("SET", "a", "1", "PX", "5000");
        string payload = DumpOf("a");
        _server.Effects.Take();
        Send("MIGRATE", "host", "1", "a", "7", "1000");
        ScriptedTarget.Peer peer = _target.Accept();
        peer.Expect("SELECT 7");
        peer.Expect($"RESTORE a 5000 {payload}");
        Assert.Equal("+OK\r\n", Reply());
        Assert.Equal(":0\r\n", _server.Call("EXISTS", "a"));
        Assert.Equal(["DEL a"], _server.Effects.Take());
    }

    [Fact]
    public void COPY_leaves_the_key_and_REPLACE_is_passed_on()
    {
        _server.Call("RPUSH", "l", "x");
        string payload = DumpOf("l");
        _server.Effects.Take();
        Send("MIGRATE", "host", "1", "l", "0", "1000", "copy", "replace");
        ScriptedTarget.Peer peer = _target.Accept();
        peer.Expect("SELECT 0");
        peer.Expect($"RESTORE l 0 {payload} REPLACE");
        Assert.Equal("+OK\r\n", Reply());
        Assert.Equal(":1\r\n", _server.Call("EXISTS", "l"));
        Assert.Empty(_server.Effects.Take());
    }

    [Fact]
    public void Without_any_of_the_keys_nothing_is_connected()
    {
        Send("MIGRATE", "host", "1", "a", "0", "1000");
        Assert.Equal("+NOKEY\r\n", Reply());
        Send("MIGRATE", "host", "1", "", "0", "1000", "KEYS", "a", "b");
        Assert.Equal("+NOKEY\r\n", Reply());
        Send("MIGRATE", "host", "1", "", "0", "1000", "KEYS");
        Assert.Equal("+NOKEY\r\n", Reply());
        Assert.Equal(0, _target.Connections);
    }

    [Theory]
    [InlineData("host", "1")]
    [InlineData("", "1")]
    [InlineData("/tmp/socket", "1")]
    [InlineData("host", "none")]
    [InlineData("host", "65536")]
    [InlineData("host", "-1")]
    public void A_target_that_cannot_be_reached_leaves_the_key(string host, string port)
    {
        _target.IsDown = host == "host" && port == "1";
        _server.Call("SET", "a", "1");
        Send("MIGRATE", host, port, "a", "0", "1000");
        Assert.Equal(ConnectError, Reply());
        Assert.Equal(":1\r\n", _server.Call("EXISTS", "a"));
        Assert.Equal(0, _target.Connections);
    }

    [Fact]
    public void Keys_that_the_target_refuses_stay_and_the_others_are_moved()
    {
        _server.Call("MSET", "a", "1", "b", "2", "c", "3");
        _server.Effects.Take();
        Send("MIGRATE", "host", "1", "", "0", "1000", "KEYS", "a", "b", "missing", "c");
        ScriptedTarget.Peer peer = AcceptSelected();
        AnswerRestore(peer, "a", "+OK\r\n");
        AnswerRestore(peer, "b", "-BUSYKEY Target key name already exists.\r\n");
        AnswerRestore(peer, "c", "+OK\r\n");
        Assert.Equal("-ERR Target instance replied with error: BUSYKEY Target key name already exists.\r\n", Reply());
        Assert.Equal("*1\r\n$1\r\nb\r\n", _server.Call("KEYS", "*"));
        Assert.Equal(["DEL a c"], _server.Effects.Take());
    }

    [Theory]
    [InlineData("AUTH secret", "AUTH", "secret")]
    [InlineData("AUTH2 me secret", "AUTH2", "me", "secret")]
    public void The_login_precedes_everything(string expected, params string[] option)
    {
        _server.Call("SET", "a", "1");
        Send(["MIGRATE", "host", "1", "a", "0", "1000", .. option]);
        ScriptedTarget.Peer peer = _target.Accept();
        peer.Expect(expected.Replace("AUTH2", "AUTH", StringComparison.Ordinal));
        peer.Expect("SELECT 0");
        AnswerRestore(peer, "a", "+OK\r\n");
        Assert.Equal("+OK\r\n", Reply());
    }

    [Fact]
    public void Nothing_is_sent_after_a_refused_login_or_database()
    {
        _server.Call("SET", "a", "1");
        Send("MIGRATE", "host", "1", "a", "0", "1000", "AUTH", "wrong");
        ScriptedTarget.Peer peer = _target.Accept();
        peer.Expect("AUTH wrong", "-WRONGPASS no\r\n");
        Assert.Equal("-ERR Target instance replied with error: WRONGPASS no\r\n", Reply());
        Assert.Null(peer.Read());
        Send("MIGRATE", "host", "1", "a", "99", "1000");
        peer = _target.Accept();
        peer.Expect("SELECT 99", "-ERR DB index is out of range\r\n");
        Assert.Equal("-ERR Target instance replied with error: ERR DB index is out of range\r\n", Reply());
        Assert.Null(peer.Read());
        Assert.Equal(":1\r\n", _server.Call("EXISTS", "a"));
    }

    [Theory]
    [InlineData("hello\r\n")]
    [InlineData(":1\r\n")]
    [InlineData("+QUEUED\r\n")]
    [InlineData("$2\r\nOK\r\n")]
    [InlineData("\r\n")]
    [InlineData("\n")]
    [InlineData("\0\r\n")]
    [InlineData("HTTP/1.1 400 Bad Request\r\n")]
    public void A_reply_other_than_OK_is_no_success(string reply)
    {
        _server.Call("SET", "a", "1");
        Send("MIGRATE", "host", "1", "a", "0", "1000");
        ScriptedTarget.Peer peer = AcceptSelected();
        AnswerRestore(peer, "a", reply);
        Assert.Equal(UnexpectedReply, Reply());
        Assert.Equal(":1\r\n", _server.Call("EXISTS", "a"));
        Assert.Null(peer.Read());
    }

    [Fact]
    public void A_reply_without_end_is_bounded()
    {
        _server.Call("SET", "a", "1");
        Send("MIGRATE", "host", "1", "a", "0", "1000");
        ScriptedTarget.Peer peer = AcceptSelected();
        AnswerRestore(peer, "a", "-" + new string('x', 1024));
        Assert.Equal(ReadError, Reply());
        Assert.Equal(":1\r\n", _server.Call("EXISTS", "a"));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    public void A_connection_that_is_closed_at_any_step_leaves_the_key(int answers)
    {
        _server.Call("SET", "a", "1");
        Send("MIGRATE", "host", "1", "a", "0", "1000", "AUTH", "secret");
        ScriptedTarget.Peer peer = _target.Accept();
        for (int i = 0; i < answers; i++)
        {
            peer.Read();
            peer.Answer("+OK\r\n");
        }

        peer.Read();
        peer.Close();
        Assert.Equal(ReadError, Reply());
        Assert.Equal(":1\r\n", _server.Call("EXISTS", "a"));
        Assert.Equal(1, _target.Connections);
    }

    [Fact]
    public void What_arrived_before_the_connection_broke_is_deleted()
    {
        _server.Call("MSET", "a", "1", "b", "2");
        _server.Effects.Take();
        Send("MIGRATE", "host", "1", "", "0", "1000", "KEYS", "a", "b");
        ScriptedTarget.Peer peer = AcceptSelected();
        AnswerRestore(peer, "a", "+OK\r\n");
        peer.Read();
        peer.Close();
        Assert.Equal(ReadError, Reply());
        Assert.Equal("*1\r\n$1\r\nb\r\n", _server.Call("KEYS", "*"));
        Assert.Equal(["DEL a"], _server.Effects.Take());
    }

    [Fact]
    public void A_silent_target_is_given_up_after_the_timeout_and_a_slow_one_is_not()
    {
        _server.Call("SET", "a", "1");
        Send("MIGRATE", "host", "1", "a", "0", "1000");
        ScriptedTarget.Peer peer = AcceptSelected();
        peer.Read();
        int reads = 2;
        foreach (char next in "+OK\r\n")
        {
            peer.AwaitReads(reads++);
            _server.Clock.Advance(TimeSpan.FromMilliseconds(900));
            peer.Answer(next.ToString());
        }

        Assert.Equal("+OK\r\n", Reply());
        _server.Call("SET", "a", "2");
        Send("MIGRATE", "host", "1", "a", "0", "1000");
        peer.Read();
        peer.AwaitReads(reads);
        _server.Clock.Advance(TimeSpan.FromMilliseconds(1000));
        Assert.Equal(ReadError, Reply());
        Assert.Equal("$1\r\n2\r\n", _server.Call("GET", "a"));
        // After a timeout nothing is tried again, as the target may only be slow.
        Assert.Equal(1, _target.Connections);
    }

    [Fact]
    public void A_key_that_is_written_meanwhile_is_sent_again()
    {
        using InProcessClient other = _server.Connect();
        _server.Call("SET", "a", "1");
        Send("MIGRATE", "host", "1", "a", "0", "1000");
        ScriptedTarget.Peer peer = AcceptSelected();
        Assert.Equal($"RESTORE a 0 {DumpOf("a", other)}", peer.Read());
        Assert.Equal(":2\r\n", other.Call("INCR", "a"));
        string second = DumpOf("a", other);
        peer.Answer("+OK\r\n");
        peer.Expect($"RESTORE a 0 {second} REPLACE");
        Assert.Equal("+OK\r\n", Reply());
        Assert.Equal(":0\r\n", other.Call("EXISTS", "a"));
    }

    [Fact]
    public void A_key_that_is_deleted_meanwhile_is_deleted_at_the_target()
    {
        using InProcessClient other = _server.Connect();
        other.Call("SET", "empty", "");
        string empty = DumpOf("empty", other);
        _server.Call("SET", "a", "1");
        Send("MIGRATE", "host", "1", "a", "0", "1000");
        ScriptedTarget.Peer peer = AcceptSelected();
        peer.Read();
        Assert.Equal(":1\r\n", other.Call("DEL", "a"));
        peer.Answer("+OK\r\n");
        // And created again, which must not be lost.
        Assert.Equal($"RESTORE a 1 {empty} REPLACE ABSTTL", peer.Read());
        other.Call("SET", "a", "2");
        string again = DumpOf("a", other);
        peer.Answer("+OK\r\n");
        peer.Expect($"RESTORE a 0 {again} REPLACE");
        Assert.Equal("+OK\r\n", Reply());
        Assert.Equal(":0\r\n", other.Call("EXISTS", "a"));
    }

    [Fact]
    public void A_key_that_always_changes_is_kept_and_the_error_says_so()
    {
        using InProcessClient other = _server.Connect();
        _server.Call("SET", "a", "0");
        Send("MIGRATE", "host", "1", "a", "0", "1000");
        ScriptedTarget.Peer peer = AcceptSelected();
        for (int i = 0; i <= ResendLimit; i++)
        {
            peer.Read();
            other.Call("INCR", "a");
            peer.Answer("+OK\r\n");
        }

        Assert.Equal($"-IOERR a key was changed during each of {ResendLimit + 1} transfers; both instances have it\r\n", Reply());
        Assert.Equal($"$2\r\n{ResendLimit + 1}\r\n", other.Call("GET", "a"));
    }

    [Fact]
    public void A_key_that_expires_meanwhile_needs_nothing_more()
    {
        using InProcessClient other = _server.Connect();
        _server.Call("SET", "a", "1", "PX", "100");
        Send("MIGRATE", "host", "1", "a", "0", "1000");
        ScriptedTarget.Peer peer = AcceptSelected();
        peer.Read();
        _server.Clock.Advance(TimeSpan.FromMilliseconds(200));
        peer.Answer("+OK\r\n");
        Assert.Equal("+OK\r\n", Reply());
        Assert.Equal(":0\r\n", other.Call("EXISTS", "a"));
    }

    [Fact]
    public void Flushing_the_database_meanwhile_flushes_the_key_at_the_target()
    {
        using InProcessClient other = _server.Connect();
        _server.Call("SET", "a", "1");
        Send("MIGRATE", "host", "1", "a", "0", "1000");
        ScriptedTarget.Peer peer = AcceptSelected();
        peer.Read();
        Assert.Equal("+OK\r\n", other.Call("FLUSHALL"));
        peer.Answer("+OK\r\n");
        Assert.EndsWith("REPLACE ABSTTL", peer.Read(), StringComparison.Ordinal);
        peer.Answer("+OK\r\n");
        Assert.Equal("+OK\r\n", Reply());
    }

    [Fact]
    public void A_server_that_becomes_a_replica_meanwhile_deletes_nothing()
    {
        using InProcessClient other = _server.Connect();
        _server.Call("SET", "a", "1");
        Send("MIGRATE", "host", "1", "a", "0", "1000");
        ScriptedTarget.Peer peer = AcceptSelected();
        peer.Read();
        _target.IsDown = true;
        other.Call("REPLICAOF", "host", "2");
        peer.Answer("+OK\r\n");
        Assert.Equal(
            "-IOERR the keys were transferred and not deleted: READONLY You can't write against a read only replica.\r\n",
            Reply()
        );
        Assert.Equal("$1\r\n1\r\n", other.Call("GET", "a"));
    }

    [Fact]
    public void A_pause_of_writes_delays_the_deletion()
    {
        using InProcessClient other = _server.Connect();
        _server.Call("SET", "a", "1");
        Send("MIGRATE", "host", "1", "a", "0", "1000");
        ScriptedTarget.Peer peer = AcceptSelected();
        peer.Read();
        other.Call("CLIENT", "PAUSE", "100000", "WRITE");
        peer.Answer("+OK\r\n");
        Assert.Equal(":1\r\n", other.Call("EXISTS", "a"));
        Assert.Equal("", _server.Client.Receive());
        other.Call("CLIENT", "UNPAUSE");
        Assert.Equal("+OK\r\n", Reply());
        Assert.Equal(":0\r\n", other.Call("EXISTS", "a"));
    }

    [Fact]
    public void Connections_are_used_again_for_ten_seconds()
    {
        _server.Call("MSET", "a", "1", "b", "2", "c", "3");
        Send("MIGRATE", "host", "1", "a", "0", "1000");
        ScriptedTarget.Peer peer = AcceptSelected();
        AnswerRestore(peer, "a", "+OK\r\n");
        Assert.Equal("+OK\r\n", Reply());
        Assert.Contains("migrate_cached_sockets:1\r\n", _server.Call("INFO", "stats"), StringComparison.Ordinal);
        _server.Clock.Advance(TimeSpan.FromSeconds(9));
        Send("MIGRATE", "host", "1", "b", "0", "1000");
        AnswerRestore(peer, "b", "+OK\r\n");
        Assert.Equal("+OK\r\n", Reply());
        _server.Clock.Advance(TimeSpan.FromSeconds(11));
        Assert.Null(peer.Read());
        Assert.Contains("migrate_cached_sockets:0\r\n", _server.Call("INFO", "stats"), StringComparison.Ordinal);
        Assert.Equal(1, _target.Connections);
    }

    [Fact]
    public void A_connection_that_the_target_has_closed_meanwhile_is_replaced_once()
    {
        _server.Call("MSET", "a", "1", "b", "2");
        Send("MIGRATE", "host", "1", "a", "0", "1000");
        ScriptedTarget.Peer peer = AcceptSelected();
        AnswerRestore(peer, "a", "+OK\r\n");
        Assert.Equal("+OK\r\n", Reply());
        peer.Close();
        Send("MIGRATE", "host", "1", "b", "0", "1000");
        peer = AcceptSelected();
        AnswerRestore(peer, "b", "+OK\r\n");
        Assert.Equal("+OK\r\n", Reply());
        Assert.Equal(2, _target.Connections);
    }

    [Fact]
    public void No_client_uses_the_login_of_another()
    {
        _server.Call("MSET", "a", "1", "b", "2");
        Send("MIGRATE", "host", "1", "a", "0", "1000", "AUTH", "secret");
        ScriptedTarget.Peer peer = _target.Accept();
        peer.Expect("AUTH secret");
        peer.Expect("SELECT 0");
        AnswerRestore(peer, "a", "+OK\r\n");
        Assert.Equal("+OK\r\n", Reply());
        Send("MIGRATE", "host", "1", "b", "0", "1000");
        peer = AcceptSelected();
        AnswerRestore(peer, "b", "-NOAUTH Authentication required.\r\n");
        Assert.Equal("-ERR Target instance replied with error: NOAUTH Authentication required.\r\n", Reply());
    }

    [Fact]
    public async Task In_a_transaction_it_is_one_of_the_effects()
    {
        _server.Call("SET", "a", "1");
        _server.Call("MULTI");
        _server.Call("INCR", "a");
        _server.Call("MIGRATE", "host", "1", "a", "0", "1000");
        _server.Call("SET", "b", "2");
        _server.Effects.Take();
        var target = Task.Run(() => AnswerRestore(AcceptSelected(), "a", "+OK\r\n"));
        Assert.Equal("*3\r\n:2\r\n+OK\r\n+OK\r\n", _server.Call("EXEC"));
        await target;
        Assert.Equal(["MULTI; INCR a; DEL a; SET b 2; EXEC"], _server.Effects.Take());
    }

    [Fact]
    public async Task Scripts_get_its_reply()
    {
        _server.Call("SET", "a", "1");
        var target = Task.Run(() =>
        {
            ScriptedTarget.Peer peer = AcceptSelected();
            AnswerRestore(peer, "a", "-BUSYKEY no\r\n");
            AnswerRestore(peer, "a", "+OK\r\n");
        });
        const string script =
            "local e = redis.pcall('MIGRATE', 'host', 1, 'a', 0, 1000).err return {e, redis.call('MIGRATE', 'host', 1, 'a', 0, 1000)}";
        const string error = "ERR Target instance replied with error: BUSYKEY no";
        Assert.Equal($"*2\r\n${error.Length}\r\n{error}\r\n+OK\r\n", _server.Call("EVAL", script, "1", "a"));
        await target;
        Assert.Equal(":0\r\n", _server.Call("EXISTS", "a"));
    }

    [Fact]
    public async Task In_a_transaction_the_timeout_is_that_of_the_whole_command()
    {
        _server.Call("SET", "a", "1");
        _server.Call("MULTI");
        _server.Call("MIGRATE", "host", "1", "a", "0", "1000");
        var target = Task.Run(() =>
        {
            ScriptedTarget.Peer peer = AcceptSelected();
            peer.Read();
            peer.AwaitReads(2);
            _server.Clock.Advance(TimeSpan.FromMilliseconds(600));
            peer.Answer("+");
            peer.AwaitReads(3);
            _server.Clock.Advance(TimeSpan.FromMilliseconds(600));
        });
        Assert.Equal($"*1\r\n{ReadError}", _server.Call("EXEC"));
        await target;
        Assert.Equal(":1\r\n", _server.Call("EXISTS", "a"));
    }

    [Fact]
    public void A_key_named_twice_is_sent_once()
    {
        _server.Call("SET", "a", "1");
        Send("MIGRATE", "host", "1", "", "0", "1000", "REPLACE", "KEYS", "a", "a");
        AnswerRestore(AcceptSelected(), "a", "+OK\r\n");
        Assert.Equal("+OK\r\n", Reply());
    }

    [Fact]
    public void Many_large_values_are_sent_in_rounds()
    {
        StringBuilder random = new();
        Random source = new(1);
        for (int i = 0; i < 400_000; i++)
            random.Append((char)source.Next(256));
        string[] keys = [.. Enumerable.Range(0, 10).Select(static i => $"k{i}")];
        foreach (string key in keys)
            _server.Call("SET", key, random.ToString());
        Send(["MIGRATE", "host", "1", "", "0", "1000", "KEYS", .. keys]);
        ScriptedTarget.Peer peer = AcceptSelected();
        foreach (string key in keys)
            AnswerRestore(peer, key, "+OK\r\n");
        Assert.Equal("+OK\r\n", Reply());
        Assert.Equal(":0\r\n", _server.Call("DBSIZE"));
    }

    [Fact]
    public void A_client_that_is_killed_ends_the_wait()
    {
        _server.Call("SET", "a", "1");
        using InProcessClient client = _server.Connect();
        client.Send(InProcessClient.Request("MIGRATE", "host", "1", "a", "0", "1000"));
        ScriptedTarget.Peer peer = AcceptSelected();
        peer.Read();
        client.Connection.Abort();
        Assert.Null(peer.Read());
        Assert.True(SpinWait.SpinUntil(() => client.IsClosed, Patience));
        Assert.Equal(":1\r\n", _server.Call("DEL", "a"));
    }

    [Fact]
    public void A_client_that_is_killed_during_a_pause_ends_the_wait_too()
    {
        _server.Call("SET", "a", "1");
        using InProcessClient client = _server.Connect();
        client.Send(InProcessClient.Request("MIGRATE", "host", "1", "a", "0", "1000"));
        ScriptedTarget.Peer peer = AcceptSelected();
        peer.Read();
        _server.Call("CLIENT", "PAUSE", "100000", "WRITE");
        peer.Answer("+OK\r\n");
        client.Connection.Abort();
        Assert.True(SpinWait.SpinUntil(() => client.IsClosed, Patience));
        Assert.Equal(":1\r\n", _server.Call("EXISTS", "a"));
    }

    [Fact]
    public void The_keys_of_the_call_must_be_allowed()
    {
        _server.Call("ACL", "SETUSER", "u", "on", "nopass", "+migrate", "~a*");
        _server.Call("MSET", "a1", "1", "b1", "2");
        using InProcessClient client = _server.Connect();
        client.Call("AUTH", "u", "");
        const string denied = "-NOPERM No permissions to access a key\r\n";
        Assert.Equal(denied, client.Call("MIGRATE", "host", "1", "b1", "0", "1000"));
        Assert.Equal(denied, client.Call("MIGRATE", "host", "1", "", "0", "1000", "KEYS", "a1", "b1"));
        Assert.Equal(denied, client.Call("MIGRATE", "host", "1", "", "0", "1000", "AUTH", "KEYS", "KEYS", "b1"));
        client.Send(InProcessClient.Request("MIGRATE", "host", "1", "", "0", "1000", "KEYS", "a1"));
        AnswerRestore(AcceptSelected(), "a1", "+OK\r\n");
        Assert.Equal("+OK\r\n", Later.Receive(client));
    }

    [Fact]
    public void Passwords_are_not_logged()
    {
        _server.Call("CONFIG", "SET", "slowlog-log-slower-than", "0");
        Send("MIGRATE", "host", "1", "", "0", "1000", "AUTH2", "me", "secret", "KEYS");
        Reply();
        string log = _server.Call("SLOWLOG", "GET", "5");
        Assert.Contains("MIGRATE", log, StringComparison.Ordinal);
        Assert.DoesNotContain("secret", log, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("-ERR syntax error\r\n", "a", "0", "1000", "WHAT")]
    [InlineData("-ERR syntax error\r\n", "a", "0", "1000", "AUTH")]
    [InlineData("-ERR syntax error\r\n", "a", "0", "1000", "AUTH2", "me")]
    [InlineData("-ERR value is not an integer or out of range\r\n", "a", "x", "1000")]
    [InlineData("-ERR value is not an integer or out of range\r\n", "a", "0", "x")]
    [InlineData("-ERR When using MIGRATE KEYS option, the key argument must be set to the empty string\r\n", "a", "0", "1000", "KEYS", "b")]
    public void Invalid_arguments_are_refused(string error, params string[] arguments) =>
        Assert.Equal(error, _server.Call(["MIGRATE", "host", "1", .. arguments]));

    [Fact]
    public void Keys_are_found_among_the_options()
    {
        Assert.Equal("*1\r\n$1\r\na\r\n", _server.Call("COMMAND", "GETKEYS", "MIGRATE", "h", "1", "a", "0", "1", "COPY"));
        Assert.Equal(
            "*2\r\n$1\r\nb\r\n$1\r\nc\r\n",
            _server.Call("COMMAND", "GETKEYS", "MIGRATE", "h", "1", "", "0", "1", "AUTH", "keys", "KEYS", "b", "c")
        );
    }

    private static void AnswerRestore(ScriptedTarget.Peer peer, string key, string answer)
    {
        Assert.StartsWith(string.Create(CultureInfo.InvariantCulture, $"RESTORE {key} "), peer.Read(), StringComparison.Ordinal);
        peer.Answer(answer);
    }

    private ScriptedTarget.Peer AcceptSelected()
    {
        ScriptedTarget.Peer peer = _target.Accept();
        peer.Expect("SELECT 0");
        return peer;
    }

    private string DumpOf(string key, InProcessClient? client = null)
    {
        string reply = (client ?? _server.Client).Call("DUMP", key);
        return reply[(reply.IndexOf('\n', StringComparison.Ordinal) + 1)..^2];
    }

    private void Send(params string[] arguments)
    {
        Assert.True(SpinWait.SpinUntil(() => _server.Client.IsReady, Patience));
        _server.Client.Send(InProcessClient.Request(arguments));
    }

    private string Reply() => Later.ReceiveUntilReady(_server.Client);
}
