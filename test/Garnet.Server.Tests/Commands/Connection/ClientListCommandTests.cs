// CLIENT LIST, INFO and KILL: the format of a line, and every filter.
using Xunit;

namespace Garnet.Server.Tests.Commands.Connection;

public sealed class ClientListCommandTests
{
    [Fact]
    public void A_line_has_the_fields_in_Valkeys_order()
    {
        using InProcessServer server = new();
        server.Call("CLIENT", "SETNAME", "me");
        server.Call("CLIENT", "SETINFO", "LIB-NAME", "lib");
        server.Call("CLIENT", "SETINFO", "LIB-VER", "1.2");
        server.Call("CLIENT", "NO-TOUCH", "ON");
        string line = server.Call("CLIENT", "INFO");
        string[] fields = line.Split("\r\n")[1].Split(' ');
        Assert.Equal(
            "id addr laddr fd name age idle flags capa db sub psub ssub multi watch qbuf qbuf-free argv-mem multi-mem rbs rbp obl oll omem tot-mem events cmd user redir resp lib-name lib-ver tot-net-in tot-net-out tot-cmds",
            string.Join(' ', fields.Select(field => field.Split('=')[0]))
        );
        Assert.Contains(
            $"id={server.Client.Session.Id} addr=127.0.0.1:50000 laddr=127.0.0.1:6379 fd=-1 name=me age=0 idle=0 flags=T capa= db=0 ",
            line
        );
        Assert.Contains(" user=default redir=-1 resp=2 lib-name=lib lib-ver=1.2 ", line);
    }

    [Fact]
    public void A_client_that_reads_from_replicas_shows_until_it_writes_again_or_resets()
    {
        using InProcessServer server = new();
        foreach (string end in (string[])["READWRITE", "RESET"])
        {
            Assert.Equal(Replies.Ok, server.Call("READONLY"));
            Assert.Contains(" flags=r ", server.Call("CLIENT", "INFO"));
            Assert.Contains(" flags=r ", server.Call("CLIENT", "LIST", "FLAGS", "r"));
            server.Call(end);
            Assert.Contains(" flags=N ", server.Call("CLIENT", "INFO"));
        }
    }

    [Fact]
    public void A_transaction_shows_as_EXEC_and_not_as_its_last_command()
    {
        using InProcessServer server = new();
        InProcessClient other = server.Connect();
        other.Call("MULTI");
        other.Call("GET", "a");
        other.Call("EXEC");
        Assert.Contains(" cmd=exec ", server.Call("CLIENT", "LIST", "ID", $"{other.Session.Id}"));
    }

    [Fact]
    public void Keys_that_several_clients_watch_count_once()
    {
        using InProcessServer server = new();
        InProcessClient first = server.Connect(),
            second = server.Connect(),
            waiting = server.Connect();
        first.Call("WATCH", "a", "b");
        second.Call("WATCH", "b", "c");
        waiting.Call("BLPOP", "b", "d", "0");
        Assert.Contains("total_watched_keys:3\r\n", server.Call("INFO", "clients"));
        first.Call("UNWATCH");
        Assert.Contains("total_watched_keys:2\r\n", server.Call("INFO", "clients"));
        server.Call("SET", "c", "1");
        Assert.Contains("total_watched_keys:0\r\n", server.Call("INFO", "clients"));
        second.Call("WATCH", "b");
        second.Call("UNWATCH");
        second.Call("WATCH", "b");
        Assert.Contains("total_watched_keys:1\r\n", server.Call("INFO", "clients"));
        server.Call("FLUSHALL");
        server.Call("SWAPDB", "0", "1");
        Assert.Contains("total_watched_keys:1\r\n", server.Call("INFO", "clients"));
        second.Dispose();
        Assert.Contains("total_watched_keys:0\r\n", server.Call("INFO", "clients"));
    }

    [Fact]
    public void An_open_transaction_and_watched_keys_show()
    {
        using InProcessServer server = new();
        InProcessClient other = server.Connect();
        other.Call("WATCH", "a", "b", "a");
        Assert.Contains(
            " flags=N capa= db=0 sub=0 psub=0 ssub=0 multi=0 watch=2 ",
            server.Call("CLIENT", "LIST", "ID", $"{other.Session.Id}")
        );
        Assert.Contains("watching_clients:1\r\n", server.Call("INFO", "clients"));
        other.Call("MULTI");
        other.Call("GET", "a");
        server.Call("SET", "a", "1");
        Assert.Contains("watching_clients:0\r\n", server.Call("INFO", "clients"));
        Assert.Contains("total_watched_keys:0\r\n", server.Call("INFO", "clients"));
        Assert.Contains(
            " flags=xd capa= db=0 sub=0 psub=0 ssub=0 multi=0 watch=0 ",
            server.Call("CLIENT", "LIST", "ID", $"{other.Session.Id}")
        );
        other.Call("DISCARD");
        Assert.Contains(
            " flags=N capa= db=0 sub=0 psub=0 ssub=0 multi=0 watch=0 ",
            server.Call("CLIENT", "LIST", "ID", $"{other.Session.Id}")
        );
    }

    [Fact]
    public void Queued_commands_are_counted_until_EXEC()
    {
        using InProcessServer server = new();
        InProcessClient other = server.Connect();
        string Line() => server.Call("CLIENT", "LIST", "ID", $"{other.Session.Id}");
        Assert.Contains(" multi=-1 ", Line());
        other.Call("MULTI");
        Assert.Contains(" flags=x capa= db=0 sub=0 psub=0 ssub=0 multi=0 ", Line());
        other.Call("GET", "a");
        other.Call("CLIENT", "INFO");
        Assert.Contains(" multi=2 ", Line());
        string during = other.Call("EXEC");
        Assert.Contains(" flags=x capa= db=0 sub=0 psub=0 ssub=0 multi=2 ", during);
        Assert.Contains(" cmd=exec ", during);
        Assert.Contains(" flags=N capa= db=0 sub=0 psub=0 ssub=0 multi=0 ", Line());
    }

    [Fact]
    public void The_last_command_shows_whether_it_was_run_queued_or_refused()
    {
        using InProcessServer server = new();
        InProcessClient other = server.Connect();
        string Line() => server.Call("CLIENT", "LIST", "ID", $"{other.Session.Id}");
        other.Call("GET");
        Assert.Contains(" cmd=get ", Line());
        other.Call("NOSUCH");
        Assert.Contains(" cmd=NULL ", Line());
        other.Call("CLIENT");
        Assert.Contains(" cmd=client ", Line());
        other.Call("CLIENT", "NOSUCH");
        Assert.Contains(" cmd=NULL ", Line());
        other.Call("MULTI");
        other.Call("SET", "a", "1");
        Assert.Contains(" cmd=set ", Line());
    }

    [Fact]
    public void Ages_follow_the_clock()
    {
        using InProcessServer server = new();
        server.Clock.Advance(TimeSpan.FromSeconds(5));
        InProcessClient late = server.Connect();
        server.Clock.Advance(TimeSpan.FromSeconds(2));
        Assert.Contains(" age=7 idle=0 ", server.Call("CLIENT", "INFO"));
        Assert.Contains(" age=2 idle=2 ", server.Call("CLIENT", "LIST", "ID", $"{late.Session.Id}"));
        Assert.Equal([server.Client.Session.Id], Listed(server, "MAXAGE", "3"));
        Assert.Equal([late.Session.Id], Listed(server, "IDLE", "2"));
    }

    [Fact]
    public void Every_filter_and_its_negation_select()
    {
        using InProcessServer server = new();
        InProcessClient other = server.Connect(3);
        other.Call("CLIENT", "SETNAME", "other");
        other.Call("CLIENT", "SETINFO", "LIB-NAME", "lib");
        other.Call("CLIENT", "SETINFO", "LIB-VER", "9");
        other.Call("CLIENT", "NO-EVICT", "ON");
        other.Call("CLIENT", "CAPA", "redirect");
        other.Session.Store.Database = 5;
        long[] first = [server.Client.Session.Id],
            second = [other.Session.Id],
            both = [.. first, .. second];
        (string Filter, string Value, long[] Selected)[] cases =
        [
            ("id", $"{second[0]}", second),
            ("NAME", "other", second),
            ("lib-name", "lib", second),
            ("LIB-VER", "9", second),
            ("FLAGS", "e", second),
            ("FLAGS", "N", first),
            ("CAPA", "r", second),
            ("DB", "5", second),
            ("USER", "default", both),
            ("TYPE", "Normal", both),
            ("TYPE", "replica", []),
            ("ADDR", "127.0.0.1:50000", both),
            ("ADDR", "127.0.0.1:1", []),
            ("LADDR", "127.0.0.1:6379", both),
            ("IP", "127.0.0.1", both),
            ("IP", "127.0.0", []),
        ];
        foreach ((string filter, string value, long[] selected) in cases)
        {
            Assert.Equal(selected, Listed(server, filter, value));
            Assert.Equal(both.Except(selected), Listed(server, "NOT-" + filter, value));
        }

        Assert.Equal(second, Listed(server, "SKIPME", "yes"));
        Assert.Equal(both, Listed(server, "SKIPME", "no", "ID", $"{first[0]}", $"{second[0]}", "USER", "default"));
    }

    [Theory]
    [InlineData("-ERR syntax error", "ID")]
    [InlineData("-ERR syntax error", "NOSUCH", "x")]
    [InlineData("-ERR syntax error", "SKIPME", "maybe")]
    [InlineData("-ERR syntax error", "ID", "5", "TYPE")]
    [InlineData("-ERR client-id should be greater than 0", "ID", "0")]
    [InlineData("-ERR Unknown client type 'odd'", "TYPE", "odd")]
    [InlineData("-ERR No such user 'Default'", "USER", "Default")]
    [InlineData("-ERR maxage is not an integer or out of range", "MAXAGE", "x")]
    [InlineData("-ERR idle should be greater than 0", "IDLE", "0")]
    [InlineData("-ERR DB number should be between 0 and 15", "DB", "16")]
    [InlineData("-ERR NOT-DB is not an integer or out of range", "NOT-DB", "9999999999")]
    [InlineData("-ERR Unknown flags found in the provided filter: q", "FLAGS", "q")]
    [InlineData("-ERR Unknown capa found in the NOT-CAPA filter: q", "NOT-CAPA", "q")]
    public void Wrong_filters_are_refused(string error, params string[] filters)
    {
        using InProcessServer server = new();
        Assert.Equal(error + "\r\n", server.Call(["CLIENT", "LIST", .. filters]));
    }

    [Fact]
    public void KILL_disconnects_and_counts_others_with_immediate_effect()
    {
        using InProcessServer server = new();
        InProcessClient one = server.Connect(),
            two = server.Connect();
        Assert.Equal(":2\r\n", server.Call("CLIENT", "KILL", "TYPE", "normal"));
        Assert.True(one.Session.End.IsForced && two.Session.End.IsForced);
        Assert.Equal([server.Client.Session.Id], Listed(server));
        Assert.Equal(":0\r\n", server.Call("CLIENT", "KILL", "ID", $"{one.Session.Id}", "SKIPME", "no"));
    }

    [Fact]
    public void KILL_of_the_caller_answers_first()
    {
        using InProcessServer server = new();
        InProcessClient caller = server.Connect();
        Assert.Equal(":1\r\n", caller.Call("CLIENT", "KILL", "ID", $"{caller.Session.Id}", "SKIPME", "no"));
        Assert.True(caller.IsClosed);
        Assert.Equal("-ERR No such client\r\n", server.Call("CLIENT", "KILL", "1.2.3.4:5"));
        Assert.Equal("+OK\r\n", server.Call("CLIENT", "KILL", "127.0.0.1:50000"));
        Assert.True(server.Client.IsClosed);
    }

    private static long[] Listed(InProcessServer server, params string[] filters) =>
        [
            .. server
                .Call(["CLIENT", "LIST", .. filters])
                .Split("\r\n")[1]
                .Split('\n', StringSplitOptions.RemoveEmptyEntries)
                .Select(line => long.Parse(line.Split(' ')[0][3..])),
        ];

    [Fact]
    public void Ages_are_whole_seconds()
    {
        using InProcessServer server = new();
        server.Clock.Advance(TimeSpan.FromMilliseconds(1900 - (server.NowMs % 1000)));
        InProcessClient late = server.Connect();
        late.Call("PING");
        Assert.Contains(" age=0 idle=0 ", server.Call("CLIENT", "LIST", "ID", $"{late.Session.Id}"));
        server.Clock.Advance(TimeSpan.FromMilliseconds(150));
        Assert.Contains(" age=1 idle=1 ", server.Call("CLIENT", "LIST", "ID", $"{late.Session.Id}"));
    }
}
