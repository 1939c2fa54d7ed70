// What clients that track keys are told, and when. Each test has its own server.
using System.Globalization;
using Garnet.Server.Tests.Commands;
using Xunit;

namespace Garnet.Server.Tests.Tracking;

public sealed class ClientTrackingTests : IDisposable
{
    private const string Flushed = ">2\r\n$10\r\ninvalidate\r\n_\r\n";

    private readonly InProcessOwner _thread = new(0);
    private readonly InProcessServer _server = new();

    public void Dispose() => _server.Dispose();

    [Fact]
    public void A_changed_key_is_told_to_those_who_have_read_it()
    {
        InProcessClient reader = Track("ON");
        InProcessClient other = Track("ON");
        Read(reader, "k");
        _server.Call("SET", "k", "1");
        Assert.Equal(Invalidated("k"), Told(reader));
        _server.Call("SET", "k", "2");
        Assert.Equal("", Told(reader));
        Assert.Equal("", Told(other));
    }

    [Fact]
    public void Own_changes_are_told_after_the_reply_of_their_command()
    {
        InProcessClient client = Track("ON");
        client.Send([
            .. Request("GET", "k"),
            .. Request("SET", "k", "1"),
            .. Request("PING"),
            .. Request("GET", "k"),
            .. Request("DEL", "k"),
        ]);
        Assert.Equal("_\r\n+OK\r\n" + Invalidated("k") + "+PONG\r\n$1\r\n1\r\n:1\r\n" + Invalidated("k"), client.Receive());
    }

    [Fact]
    public void Nothing_is_told_inside_of_a_transaction()
    {
        InProcessClient client = Track("ON");
        client.Send([
            .. Request("MULTI"),
            .. Request("GET", "k"),
            .. Request("SET", "k", "1"),
            .. Request("FLUSHALL"),
            .. Request("GET", "k"),
        ]);
        client.Receive();
        Assert.Equal("*4\r\n_\r\n+OK\r\n+OK\r\n_\r\n" + Invalidated("k") + Flushed, client.Call("EXEC"));
        _server.Call("SET", "k", "1");
        Assert.Equal(Invalidated("k"), Told(client));
    }

    [Fact]
    public void NoLoop_leaves_out_own_changes_only()
    {
        InProcessClient client = Track("ON", "NOLOOP");
        Read(client, "k");
        Assert.Equal("+OK\r\n", client.Call("SET", "k", "1"));
        Read(client, "k");
        _server.Call("SET", "k", "2");
        Assert.Equal(Invalidated("k"), Told(client));
    }

    [Fact]
    public void Replies_that_are_off_do_not_hold_messages_back()
    {
        InProcessClient client = Track("ON");
        Read(client, "k");
        client.Call("CLIENT", "REPLY", "OFF");
        Assert.Equal(Invalidated("k"), client.Call("SET", "k", "1"));
    }

    [Fact]
    public void A_flush_is_told_once_and_also_when_nothing_was_there()
    {
        InProcessClient client = Track("ON");
        InProcessClient broadcast = Track("ON", "BCAST", "PREFIX", "x");
        for (int database = 0; database < 3; database++)
        {
            _server.Call("SELECT", $"{database}");
            _server.Call("SET", "k", "1");
        }

        _server.Call("FLUSHALL");
        Assert.Equal(Flushed, Told(client));
        Assert.Equal(Flushed, Told(broadcast));
        _server.Call("FLUSHDB");
        Assert.Equal(Flushed, Told(client));
        Assert.Equal("+OK\r\n" + Flushed, client.Call("FLUSHALL"));
    }

    [Fact]
    public void Exchanged_databases_are_told_as_a_flush()
    {
        InProcessClient client = Track("ON");
        Read(client, "k");
        _server.Call("SWAPDB", "0", "1");
        Assert.Equal(Flushed, Told(client));
        Assert.Equal(0, _server.Server.Tracking.Keys);
    }

    [Fact]
    public void A_key_that_expires_is_told()
    {
        InProcessClient client = Track("ON");
        _server.Call("SET", "k", "1", "PX", "100");
        Read(client, "k");
        _server.Clock.Advance(TimeSpan.FromMilliseconds(200));
        _server.Call("SET", "k", "2", "XX");
        Assert.Equal(Invalidated("k"), Told(client));
    }

    [Fact]
    public void What_maintenance_removes_is_told()
    {
        InProcessClient client = Track("ON");
        _server.Call("SET", "k", "1", "PX", "100");
        Read(client, "k");
        _server.Clock.Advance(TimeSpan.FromSeconds(10));
        while (_server.Store.Maintenance.Run()) { }
        Assert.Equal(Invalidated("k"), Told(client));
    }

    [Fact]
    public void What_the_table_forgets_is_told()
    {
        InProcessClient client = Track("ON");
        _server.Call("CONFIG", "SET", "tracking-table-max-keys", "10");
        int told = 0;
        for (int i = 0; i < 100; i++)
        {
            string received = client.Call("GET", $"key:{i}");
            Assert.StartsWith("_\r\n", received, StringComparison.Ordinal);
            told += received.Length > 3 ? 1 : 0;
            Assert.InRange(_server.Server.Tracking.Keys, 1, 10);
        }

        Assert.Equal(90, told);
        _server.Call("CONFIG", "SET", "tracking-table-max-keys", "4");
        _server.Server.Tracking.Tidy();
        Assert.Equal(4, _server.Server.Tracking.Keys);
    }

    [Fact]
    public void In_RESP2_the_client_of_the_redirection_gets_the_messages()
    {
        InProcessClient target = _server.Connect();
        InProcessClient client = _server.Connect();
        string id = target.Call("CLIENT", "ID")[1..^2];
        Assert.Equal(Replies.Ok, client.Call("CLIENT", "TRACKING", "ON", "REDIRECT", id));
        Assert.Equal($":{id}\r\n", client.Call("CLIENT", "GETREDIR"));
        Read(client, "k");
        _server.Call("SET", "k", "1");
        Assert.Equal("+PONG\r\n", target.Call("PING"));
        target.Call("SUBSCRIBE", "__redis__:invalidate");
        Read(client, "k");
        _server.Call("SET", "k", "2");
        string message = "*3\r\n" + Replies.Bulk("message") + Replies.Bulk("__redis__:invalidate");
        Assert.Equal(message + Replies.Bulks("k"), Told(target));
        _server.Call("FLUSHALL");
        Assert.Equal(message + "$-1\r\n", Told(target));
    }

    [Fact]
    public void A_lost_client_of_the_redirection_is_told()
    {
        InProcessClient target = _server.Connect(3);
        string id = target.Call("CLIENT", "ID")[1..^2];
        InProcessClient client = Track("ON", "REDIRECT", id);
        Read(client, "k");
        target.Dispose();
        _server.Call("SET", "k", "1");
        Assert.Equal($">2\r\n$21\r\ntracking-redir-broken\r\n:{id}\r\n", Told(client));
        Assert.Contains("broken_redirect", client.Call("CLIENT", "TRACKINGINFO"), StringComparison.Ordinal);
        Assert.Contains($"flags=tR capa= db=0", client.Call("CLIENT", "INFO"), StringComparison.Ordinal);
        Assert.Contains($" redir={id} ", client.Call("CLIENT", "INFO"), StringComparison.Ordinal);
    }

    [Fact]
    public void Keys_of_a_pipeline_are_told_to_prefixes_together()
    {
        InProcessClient client = Track("ON", "BCAST", "PREFIX", "b:", "PREFIX", "a:");
        _server.Client.Send([
            .. Request("MSET", "b:2", "x", "c", "x", "b:1", "x"),
            .. Request("SET", "b:2", "y"),
            .. Request("DEL", "a:none", "b:1"),
        ]);
        Assert.Equal(">2\r\n$10\r\ninvalidate\r\n" + Replies.Bulks("b:1", "b:2"), Told(client));
        Assert.Contains("flags=tB ", client.Call("CLIENT", "INFO"), StringComparison.Ordinal);
        Assert.Contains("tracking_total_prefixes:2\r\n", _server.Call("INFO", "stats"), StringComparison.Ordinal);
        client.Call("RESET");
        _server.Call("SET", "b:1", "y");
        Assert.Equal("", Told(client));
        Assert.Contains("tracking_total_prefixes:0\r\n", _server.Call("INFO", "stats"), StringComparison.Ordinal);
    }

    [Fact]
    public void Nested_prefixes_of_many_clients_get_each_key_once_and_share_a_message()
    {
        const int clients = 40;
        InProcessClient[] tracking = [.. Enumerable.Range(1, clients).Select(i => Track("ON", "BCAST", "PREFIX", new string('a', i)))];
        string[] keys =
        [
            .. Enumerable.Range(0, 100).Select(i => new string('a', clients) + i.ToString("D3", CultureInfo.InvariantCulture)),
        ];
        _server.Client.Send([.. keys.Reverse().SelectMany(key => Request("SET", key, "1"))]);
        string expected = ">2\r\n$10\r\ninvalidate\r\n" + Replies.Bulks(keys);
        Assert.All(tracking, client => Assert.Equal(expected, Told(client)));
    }

    [Fact]
    public void Random_keys_are_told_to_the_prefixes_that_match_them()
    {
        Random random = new(20261127);
        string Text(int most) => string.Concat(Enumerable.Range(0, random.Next(most)).Select(_ => (char)('a' + random.Next(3))));
        for (int round = 0; round < 30; round++)
        {
            string[] prefixes = [.. Enumerable.Range(0, random.Next(1, 30)).Select(_ => Text(5)).Distinct()];
            InProcessClient[] clients = [.. prefixes.Select(prefix => Track("ON", "BCAST", "PREFIX", prefix))];
            string[] keys = [.. Enumerable.Range(0, random.Next(1, 40)).Select(_ => "a" + Text(8))];
            _server.Client.Send([.. keys.SelectMany(key => Request("SET", key, "1"))]);
            for (int i = 0; i < prefixes.Length; i++)
            {
                string[] matching =
                [
                    .. keys.Where(key => key.StartsWith(prefixes[i], StringComparison.Ordinal)).Distinct().Order(StringComparer.Ordinal),
                ];
                string expected = matching.Length == 0 ? "" : ">2\r\n$10\r\ninvalidate\r\n" + Replies.Bulks(matching);
                Assert.Equal(expected, Told(clients[i]));
                clients[i].Call("CLIENT", "TRACKING", "OFF");
            }
        }
    }

    [Theory]
    [InlineData("b", "b")]
    [InlineData("bc", "b")]
    [InlineData("", "a1")]
    [InlineData("a", "a1")]
    [InlineData("d", "d1")]
    [InlineData("d12", "d1")]
    [InlineData("c", null)]
    [InlineData("z", null)]
    public void A_prefix_that_overlaps_with_an_existing_one_is_refused(string prefix, string? existing)
    {
        InProcessClient client = Track("ON", "BCAST", "PREFIX", "b", "PREFIX", "d1", "PREFIX", "a2", "PREFIX", "a1");
        string reply = client.Call("CLIENT", "TRACKING", "ON", "BCAST", "PREFIX", prefix);
        Assert.Equal(
            existing is null
                ? "+OK\r\n"
                : $"-ERR Prefix '{prefix}' overlaps with an existing prefix '{existing}'. Prefixes for a single client must not overlap.\r\n",
            reply
        );
    }

    [Fact]
    public void Thousands_of_prefixes_are_looked_up_and_not_walked()
    {
        string[] prefixes =
        [
            .. Enumerable.Range(0, 20_000).SelectMany(static i => (string[])["PREFIX", $"{new string('p', 3 + (i % 5))}:{i}:"]),
        ];
        InProcessClient client = Track(["ON", "BCAST", .. prefixes]);
        Assert.Equal(20_000, _server.Server.Tracking.Prefixes.Count);
        Assert.Equal([5 + 1, 5 + 2], _server.Server.Tracking.Prefixes.Lengths[..2].ToArray());
        Assert.InRange(_server.Server.Tracking.Prefixes.Lengths.Length, 1, 16);
        _server.Call("MSET", "ppp:0:x", "1", "pppp:1:", "1", "ppp:1:x", "1", "p", "1");
        Assert.Equal(Invalidated("ppp:0:x") + Invalidated("pppp:1:"), Told(client));
        string refused = client.Call([
            "CLIENT",
            "TRACKING",
            "ON",
            "BCAST",
            .. prefixes[2..],
            "PREFIX",
            "ppp:5:a",
            "PREFIX",
            "zz",
            "PREFIX",
            "z",
        ]);
        Assert.Contains("overlaps", refused, StringComparison.Ordinal);
        client.Call("CLIENT", "TRACKING", "OFF");
        Assert.Equal(0, _server.Server.Tracking.Prefixes.Count);
        Assert.Equal(0, _server.Server.Tracking.Prefixes.Lengths.Length);
    }

    [Fact]
    public void What_a_client_is_told_in_RESP3_does_not_reach_it_in_RESP2()
    {
        InProcessClient client = Track("ON");
        Read(client, "k");
        client.Session.Output.Deliver(Garnet.Server.Tracking.InvalidationMessage.OfKey("early"u8));
        Assert.DoesNotContain("invalidate", client.Call("HELLO", "2")[50..], StringComparison.Ordinal);
        client.Session.Output.Deliver(Garnet.Server.Tracking.InvalidationMessage.OfKey("late"u8));
        Assert.Equal("+PONG\r\n", client.Call("PING"));
    }

    [Fact]
    public void A_client_that_is_closing_is_told_nothing()
    {
        InProcessClient client = Track("ON");
        Read(client, "k");
        client.Session.End.AfterReply = true;
        _server.Call("SET", "k", "1");
        Assert.Equal(0, client.Session.Output.UnsentBytes);
    }

    [Fact]
    public void A_reply_in_pieces_comes_before_what_changed_after_it_was_read()
    {
        _server.Call(["RPUSH", "k", .. Enumerable.Repeat(new string('x', 1000), 2000)]);
        InProcessClient client = _server.Connect(3, new InProcessConnection { Owner = _thread });
        client.Call("CLIENT", "TRACKING", "ON");
        string reply = client.Call("LRANGE", "k", "0", "-1");
        Assert.InRange(reply.Length, 1, 1_000_000);
        _server.Call("DEL", "k");
        for (int i = 0; i < 100 && reply.Length < 2_000_000; i++)
        {
            _thread.RunRound();
            reply += client.Receive();
        }

        _thread.RunRound();
        reply += client.Receive();
        Assert.Equal(reply.Length - Invalidated("k").Length, reply.IndexOf(Invalidated("k"), StringComparison.Ordinal));
    }

    [Fact]
    public void A_command_that_waited_counts_as_a_read()
    {
        InProcessClient client = _server.Connect(3, new InProcessConnection { Owner = _thread });
        client.Call("CLIENT", "TRACKING", "ON");
        Assert.Equal("", client.Call("XREAD", "BLOCK", "0", "STREAMS", "s", "0"));
        _server.Call("XADD", "s", "1-1", "f", "v");
        _server.Call("XADD", "s", "2-1", "f", "v");
        string received = "";
        for (int i = 0; i < 10; i++)
        {
            _thread.RunRound();
            received += client.Receive();
        }

        Assert.StartsWith("%1\r\n", received, StringComparison.Ordinal);
        Assert.EndsWith(Invalidated("s"), received, StringComparison.Ordinal);
    }

    [Fact]
    public void Only_what_is_read_after_CACHING_YES_counts_and_only_once()
    {
        InProcessClient client = Track("ON", "OPTIN");
        Read(client, "k");
        client.Call("CLIENT", "CACHING", "YES");
        client.Call("CLIENT", "SETNAME", "x");
        Read(client, "a");
        Read(client, "b");
        client.Call("CLIENT", "CACHING", "YES");
        client.Call("NOCOMMAND");
        Read(client, "c");
        _server.Call("MSET", "k", "1", "a", "1", "b", "1", "c", "1");
        Assert.Equal(Invalidated("a"), Told(client));
    }

    [Fact]
    public void CACHING_lasts_for_a_whole_transaction_and_ends_with_it()
    {
        InProcessClient client = Track("ON", "OPTOUT");
        client.Call("CLIENT", "CACHING", "NO");
        client.Call("MULTI");
        client.Call("GET", "a");
        client.Call("GET", "b");
        client.Call("EXEC");
        Read(client, "c");
        _server.Call("MSET", "a", "1", "b", "1", "c", "1");
        Assert.Equal(Invalidated("c"), Told(client));
    }

    [Fact]
    public void The_store_is_observed_only_while_a_client_tracks()
    {
        Assert.Empty(_server.Store.Changes.Observers);
        InProcessClient client = Track("ON");
        Read(client, "k");
        Assert.Single(_server.Store.Changes.Observers);
        Assert.Contains("tracking_clients:1\r\n", _server.Call("INFO", "clients"), StringComparison.Ordinal);
        Assert.Contains("tracking_total_keys:1\r\ntracking_total_items:1\r\n", _server.Call("INFO", "stats"), StringComparison.Ordinal);
        client.Dispose();
        Assert.Empty(_server.Store.Changes.Observers);
        Assert.Contains("tracking_clients:0\r\n", _server.Call("INFO", "clients"), StringComparison.Ordinal);
        Assert.Equal(0, _server.Server.Tracking.TableBytes);
    }

    [Fact]
    public void Reading_allocates_nothing()
    {
        _server.Call("CLIENT", "TRACKING", "ON");
        _server.Call("MSET", "k", "1", "j", "2");
        Allocations.AssertNone(_server, "GET k");
        Allocations.AssertNone(_server, "MGET k j");
    }

    private static byte[] Request(params string[] arguments) => InProcessClient.Request(arguments);

    private static string Invalidated(string key) => ">2\r\n$10\r\ninvalidate\r\n" + Replies.Bulks(key);

    private static void Read(InProcessClient client, string key) =>
        Assert.DoesNotContain("invalidate", client.Call("GET", key), StringComparison.Ordinal);

    // What arrived before the answer to a PING.
    private static string Told(InProcessClient client)
    {
        string received = client.Receive() + client.Call("PING");
        // A subscriber in RESP2 gets another form.
        string pong = received.EndsWith("+PONG\r\n", StringComparison.Ordinal) ? "+PONG\r\n" : "*2\r\n$4\r\npong\r\n$0\r\n\r\n";
        Assert.EndsWith(pong, received, StringComparison.Ordinal);
        return received[..^pong.Length];
    }

    private InProcessClient Track(params string[] options)
    {
        InProcessClient client = _server.Connect(3);
        Assert.Equal(Replies.Ok, client.Call(["CLIENT", "TRACKING", .. options]));
        return client;
    }
}
