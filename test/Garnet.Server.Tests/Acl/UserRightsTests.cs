// What users with rules may and may not do: commands, subcommands, keys, databases, transactions, blocked commands, and rules that change
// meanwhile.
using Xunit;

namespace Garnet.Server.Tests.Acl;

public sealed class UserRightsTests
{
    private const string NoKey = "-NOPERM No permissions to access a key\r\n";

    [Fact]
    public void A_new_user_may_do_nothing()
    {
        using InProcessServer server = new();
        using InProcessClient client = LoggedIn(server, ">secret");
        Assert.Equal("-NOPERM User app has no permissions to run the 'get' command\r\n", client.Call("GET", "k"));
        Assert.Equal("-NOPERM User app has no permissions to run the 'config|get' command\r\n", client.Call("CONFIG", "GET", "port"));
        // Commands that precede a login are always allowed.
        Assert.Equal("+RESET\r\n", client.Call("RESET"));
        Assert.Equal("$7\r\ndefault\r\n", client.Call("ACL", "WHOAMI"));
    }

    [Fact]
    public void Commands_and_subcommands_are_allowed_one_by_one_or_by_category()
    {
        using InProcessServer server = new();
        using InProcessClient client = LoggedIn(server, "nopass", "~*", "+@read", "-get", "+config|get", "+select|0");
        Assert.Equal(":0\r\n", client.Call("STRLEN", "k"));
        Assert.StartsWith("-NOPERM", client.Call("GET", "k"), StringComparison.Ordinal);
        Assert.StartsWith("-NOPERM", client.Call("SET", "k", "v"), StringComparison.Ordinal);
        Assert.StartsWith("*2", client.Call("CONFIG", "GET", "port"), StringComparison.Ordinal);
        Assert.StartsWith("-NOPERM", client.Call("CONFIG", "SET", "port", "1"), StringComparison.Ordinal);
        Assert.Equal("+OK\r\n", client.Call("SELECT", "0"));
        Assert.StartsWith("-NOPERM", client.Call("SELECT", "1"), StringComparison.Ordinal);
    }

    [Fact]
    public void Subscriptions_of_an_earlier_user_end_with_the_first_change_of_channels_that_were_allowed()
    {
        using InProcessServer server = new();
        using InProcessClient client = server.Connect();
        server.Call("ACL", "SETUSER", "app", "on", "nopass", "+@all", "resetchannels");
        client.Call("HELLO", "3");
        client.Call("SUBSCRIBE", "news");
        Assert.Equal("+OK\r\n", client.Call("AUTH", "app", "any"));
        server.Call("ACL", "SETUSER", "app", "&first");
        Assert.False(client.Session.End.IsForced);
        server.Call("ACL", "SETUSER", "app", "&second");
        Assert.True(client.Session.End.IsForced);
    }

    [Fact]
    public void Keys_are_allowed_for_reading_and_for_writing()
    {
        using InProcessServer server = new();
        using InProcessClient client = LoggedIn(server, "nopass", "+@all", "%R~in:*", "%W~out:*", "~both");
        Assert.Equal("+OK\r\n", client.Call("SET", "out:1", "v"));
        Assert.Equal(NoKey, client.Call("GET", "out:1"));
        Assert.Equal(NoKey, client.Call("SET", "in:1", "v"));
        Assert.Equal("$-1\r\n", client.Call("GET", "in:1"));
        Assert.Equal(":0\r\n", client.Call("COPY", "in:1", "out:1"));
        Assert.Equal(NoKey, client.Call("COPY", "out:1", "in:1"));
        Assert.Equal(NoKey, client.Call("MSET", "both", "1", "other", "2"));
        Assert.Equal(NoKey, client.Call("SET", "out:1", "v", "GET"));
        Assert.Equal(NoKey, client.Call("SUNIONSTORE", "out:s", "in:a", "out:b"));
        Assert.Equal("+OK\r\n", client.Call("SET", "both", "v"));
        Assert.Equal("$1\r\nv\r\n", client.Call("GET", "both"));
    }

    [Fact]
    public void Keys_are_checked_although_other_arguments_are_missing_or_wrong()
    {
        using InProcessServer server = new();
        using InProcessClient client = LoggedIn(server, "nopass", "+@all");
        Assert.Equal(NoKey, client.Call("PFMERGE", "k"));
        Assert.Equal(NoKey, client.Call("ZUNIONSTORE", "k", "x", "a"));
        Assert.Equal(":0\r\n", server.Call("EXISTS", "k"));
    }

    [Theory]
    [InlineData("ZUNIONSTORE", "mine", "+1", "other")]
    [InlineData("ZUNIONSTORE", "mine", "1x", "other")]
    [InlineData("ZINTERCARD", "1x", "other")]
    [InlineData("SINTERCARD", " 1", "other")]
    [InlineData("LMPOP", "1x", "other", "LEFT")]
    [InlineData("EVAL", "return 1", "1x", "other")]
    public void Keys_are_checked_although_their_number_only_begins_with_one(params string[] call)
    {
        using InProcessServer server = new();
        using InProcessClient client = LoggedIn(server, "nopass", "+@all", "~mine");
        Assert.Equal(NoKey, client.Call(call));
        Assert.Contains("to access the 'other' key\r\n", server.Call(["ACL", "DRYRUN", "app", .. call]), StringComparison.Ordinal);
        Assert.Contains("$5\r\nother\r\n", server.Call(["COMMAND", "GETKEYS", .. call]), StringComparison.Ordinal);
    }

    [Fact]
    public void One_selector_must_allow_all_of_a_call()
    {
        using InProcessServer server = new();
        using InProcessClient client = LoggedIn(server, "nopass", "+get", "~a*", "(+set ~b*)", "(+mset ~b* ~c*)");
        Assert.Equal("$-1\r\n", client.Call("GET", "a"));
        Assert.Equal("+OK\r\n", client.Call("SET", "b", "1"));
        Assert.Equal(NoKey, client.Call("GET", "b"));
        Assert.Equal(NoKey, client.Call("SET", "c", "1"));
        Assert.Equal("+OK\r\n", client.Call("MSET", "b", "1", "c", "2"));
    }

    [Fact]
    public void Databases_are_allowed_one_by_one()
    {
        using InProcessServer server = new();
        using InProcessClient client = LoggedIn(server, "nopass", "+@all", "allkeys", "db=0,2");
        const string denied = "-NOPERM No permissions to access database\r\n";
        Assert.Equal("+OK\r\n", client.Call("SET", "k", "v"));
        Assert.Equal(denied, client.Call("SELECT", "1"));
        Assert.Equal(denied, client.Call("MOVE", "k", "1"));
        Assert.Equal(denied, client.Call("COPY", "k", "k", "DB", "2", "DB", "3"));
        Assert.Equal(denied, client.Call("SWAPDB", "0", "1"));
        Assert.Equal(denied, client.Call("FLUSHALL"));
        Assert.Equal("-ERR DB index is out of range\r\n", client.Call("SELECT", "99"));
        Assert.Equal(":1\r\n", client.Call("COPY", "k", "k", "DB", "2"));
        Assert.Equal("+OK\r\n", client.Call("SELECT", "2"));
        Assert.Equal("$1\r\nv\r\n", client.Call("GET", "k"));

        // A queued SELECT counts for what is queued after it.
        server.Call("ACL", "SETUSER", "app", "db=0");
        Assert.Equal(denied, client.Call("GET", "k"));
        Assert.Equal("+OK\r\n", client.Call("MULTI"));
        Assert.Equal("+QUEUED\r\n", client.Call("SELECT", "0"));
        Assert.Equal("+QUEUED\r\n", client.Call("GET", "k"));
        Assert.Equal("*2\r\n+OK\r\n$1\r\nv\r\n", client.Call("EXEC"));
    }

    [Fact]
    public void A_denied_command_breaks_its_transaction_and_rules_are_checked_again_at_EXEC()
    {
        using InProcessServer server = new();
        using InProcessClient client = LoggedIn(server, "nopass", "+@all", "-get", "~*");
        client.Call("MULTI");
        Assert.StartsWith("-NOPERM", client.Call("GET", "k"), StringComparison.Ordinal);
        Assert.StartsWith("-EXECABORT", client.Call("EXEC"), StringComparison.Ordinal);

        client.Call("MULTI");
        client.Call("SET", "k", "1");
        client.Call("INCR", "k");
        server.Call("ACL", "SETUSER", "app", "-set");
        Assert.Equal(
            "*2\r\n-NOPERM ACLs rules changed between the moment the transaction was accumulated and the EXEC call. This command is no longer allowed for the following reason: no permission to execute the command or subcommand\r\n:1\r\n",
            client.Call("EXEC")
        );

        client.Call("MULTI");
        client.Call("INCR", "k");
        server.Call("ACL", "SETUSER", "app", "-exec");
        Assert.StartsWith("-EXECABORT Transaction discarded because of: NOPERM", client.Call("EXEC"), StringComparison.Ordinal);
        Assert.Equal("$1\r\n1\r\n", server.Call("GET", "k"));
    }

    [Fact]
    public void A_blocked_command_is_denied_when_the_rules_have_changed_meanwhile()
    {
        using InProcessServer server = new();
        using InProcessClient client = LoggedIn(server, "nopass", "+@all", "~*");
        Assert.Equal("", client.Call("BLPOP", "k", "0"));
        server.Call("ACL", "SETUSER", "app", "resetkeys");
        Assert.Equal(":1\r\n", server.Call("RPUSH", "k", "v"));
        Assert.Equal(NoKey, Persistence.LoggedServer.Await(client));
        Assert.Equal(":1\r\n", server.Call("LLEN", "k"));
    }

    [Fact]
    public void SORT_reads_other_keys_only_for_users_who_may_read_all()
    {
        using InProcessServer server = new();
        server.Call("RPUSH", "list", "2", "1");
        using InProcessClient client = LoggedIn(server, "nopass", "+@all", "~list");
        Assert.Equal("*2\r\n$1\r\n1\r\n$1\r\n2\r\n", client.Call("SORT", "list"));
        Assert.Equal("-ERR BY option of SORT denied due to insufficient ACL permissions.\r\n", client.Call("SORT", "list", "BY", "w:*"));
        Assert.Equal("-ERR GET option of SORT denied due to insufficient ACL permissions.\r\n", client.Call("SORT", "list", "GET", "#"));
        server.Call("ACL", "SETUSER", "app", "%R~*");
        Assert.Equal("*2\r\n$1\r\n1\r\n$1\r\n2\r\n", client.Call("SORT", "list", "GET", "#"));
    }

    [Fact]
    public void A_deleted_user_loses_its_connections_and_the_caller_gets_its_reply_first()
    {
        using InProcessServer server = new();
        using InProcessClient client = LoggedIn(server, "nopass", "+@all", "~*");
        using InProcessClient other = server.Connect();
        Assert.Equal("+OK\r\n", other.Call("AUTH", "app", "x"));
        Assert.Equal(":1\r\n", client.Call("ACL", "DELUSER", "app", "nobody"));
        Assert.True(client.IsClosed);
        Assert.Equal("", other.Call("PING"));
        Assert.True(other.IsClosed);
        Assert.StartsWith("-WRONGPASS", server.Connect().Call("AUTH", "app", "x"), StringComparison.Ordinal);
        Assert.Equal("-ERR The 'default' user cannot be removed\r\n", server.Call("ACL", "DELUSER", "app", "default"));
    }

    [Fact]
    public void A_user_that_is_off_cannot_log_in_but_stays_logged_in()
    {
        using InProcessServer server = new();
        using InProcessClient client = LoggedIn(server, "nopass", "+@all", "~*");
        server.Call("ACL", "SETUSER", "app", "off");
        Assert.Equal("+PONG\r\n", client.Call("PING"));
        Assert.StartsWith("-WRONGPASS", server.Connect().Call("AUTH", "app", "x"), StringComparison.Ordinal);
    }

    [Fact]
    public void Without_a_default_user_that_is_on_every_connection_must_log_in()
    {
        using InProcessServer server = new();
        server.Call("ACL", "SETUSER", "app", "on", ">secret", "+@all", "~*");
        server.Call("ACL", "SETUSER", "default", "off");
        using InProcessClient client = server.Connect();
        Assert.Equal("-NOAUTH Authentication required.\r\n", client.Call("PING"));
        Assert.Equal("+OK\r\n", client.Call("AUTH", "app", "secret"));
        Assert.Equal("+PONG\r\n", client.Call("PING"));
        Assert.Contains(" user=app ", client.Call("CLIENT", "LIST", "USER", "app"), StringComparison.Ordinal);
        Assert.Equal("-ERR No such user 'nobody'\r\n", client.Call("CLIENT", "LIST", "USER", "nobody"));
        Assert.Equal("+RESET\r\n", client.Call("RESET"));
        Assert.Equal("-NOAUTH Authentication required.\r\n", client.Call("PING"));
    }

    [Fact]
    public void A_command_that_is_not_allowed_costs_its_memory_and_changes_nothing()
    {
        using InProcessServer server = new();
        using InProcessClient client = LoggedIn(server, "nopass", "+@all", "~a");
        Assert.Equal(NoKey, client.Call("SET", "b", new string('v', 100_000)));
        Assert.Equal(":0\r\n", server.Call("DBSIZE"));
        Assert.Contains("acl_access_denied_key:1\r\n", server.Call("INFO", "stats"), StringComparison.Ordinal);
        Assert.Contains("rejected_calls=1,failed_calls=0", server.Call("INFO", "commandstats"), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("SUBSCRIBE", "news:1", "&news:*", "&old:*", true)]
    [InlineData("SUBSCRIBE", "news:1", "&news:*", "&news:1", false)]
    [InlineData("SSUBSCRIBE", "news:1", "&news:*", "&old:*", true)]
    [InlineData("PSUBSCRIBE", "news:*", "&news:*", "&n*", true)]
    [InlineData("PSUBSCRIBE", "news:*", "&news:*", "&news:*", false)]
    [InlineData("SUBSCRIBE", "news:1", "allchannels", "&old:*", true)]
    public void Subscribers_are_closed_when_a_channel_is_no_longer_allowed(
        string command,
        string channel,
        string before,
        string after,
        bool isClosed
    )
    {
        using InProcessServer server = new();
        using InProcessClient client = LoggedIn(server, "nopass", "+@all", "resetchannels", before);
        using InProcessClient other = server.Connect();
        client.Call(command, channel);
        other.Call(command, channel);
        Assert.Equal("+OK\r\n", server.Call("ACL", "SETUSER", "app", "+get"));
        Assert.False(client.Session.End.IsForced);
        Assert.Equal("+OK\r\n", server.Call("ACL", "SETUSER", "app", "resetchannels", after));
        Assert.Equal(isClosed, client.Session.End.IsForced);
        Assert.False(other.Session.End.IsForced);
    }

    [Fact]
    public void A_subscriber_that_denies_itself_a_channel_gets_its_reply()
    {
        using InProcessServer server = new();
        using InProcessClient client = LoggedIn(server, "nopass", "+@all", "resetchannels", "&news");
        client.Call("HELLO", "3");
        client.Call("SUBSCRIBE", "news");
        Assert.Equal("+OK\r\n", client.Call("ACL", "SETUSER", "app", "resetchannels"));
        Assert.True(client.Session.End.AfterReply);
        Assert.Equal(":0\r\n", server.Call("PUBLISH", "news", "x"));
    }

    internal static InProcessClient LoggedIn(InProcessServer server, params string[] rules)
    {
        Assert.Equal("+OK\r\n", server.Call(["ACL", "SETUSER", "app", "on", .. rules]));
        InProcessClient client = server.Connect();
        Assert.Equal("+OK\r\n", client.Call("AUTH", "app", "secret"));
        return client;
    }
}
