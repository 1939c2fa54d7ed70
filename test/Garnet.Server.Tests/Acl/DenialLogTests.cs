// ACL LOG: what is in an entry, how entries are joined and bounded.
using Xunit;

namespace Garnet.Server.Tests.Acl;

public sealed class DenialLogTests
{
    [Fact]
    public void Denied_calls_and_logins_are_logged_with_their_reason_context_and_object()
    {
        using InProcessServer server = new();
        using InProcessClient client = UserRightsTests.LoggedIn(server, "nopass", "+@all", "-get", "~a");
        client.Call("GET", "a");
        client.Call("SET", "b", "1");
        client.Call("MULTI");
        client.Call("SET", "c", "1");
        client.Call("DISCARD");
        client.Call("AUTH", "nobody", "x");
        string[] entries = Entries(server);
        Assert.Equal(["auth toplevel AUTH nobody 1", "key multi c app 1", "key toplevel b app 1", "command toplevel get app 1"], entries);
        string info = server.Call("INFO", "stats");
        Assert.Contains(
            "acl_access_denied_auth:1\r\nacl_access_denied_cmd:1\r\nacl_access_denied_key:2\r\n",
            info,
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void What_repeats_within_a_minute_is_counted_and_comes_first_again()
    {
        using InProcessServer server = new();
        using InProcessClient client = UserRightsTests.LoggedIn(server, "nopass", "+@all", "~a");
        client.Call("GET", "x");
        client.Call("GET", "y");
        server.Clock.Advance(TimeSpan.FromSeconds(30));
        client.Call("SET", "x", "1");
        Assert.Equal(["key toplevel x app 2", "key toplevel y app 1"], Entries(server));
        server.Clock.Advance(TimeSpan.FromSeconds(61));
        client.Call("GET", "x");
        Assert.Equal(["key toplevel x app 1", "key toplevel x app 2", "key toplevel y app 1"], Entries(server));
        Assert.Equal("+OK\r\n", server.Call("ACL", "LOG", "RESET"));
        Assert.Equal("*0\r\n", server.Call("ACL", "LOG"));
    }

    [Fact]
    public void The_log_has_as_many_entries_as_its_option_allows()
    {
        using InProcessServer server = new();
        server.Call("CONFIG", "SET", "acllog-max-len", "2");
        using InProcessClient client = UserRightsTests.LoggedIn(server, "nopass", "+@all", "~a");
        foreach (string key in (string[])["x", "y", "z"])
            client.Call("GET", key);
        Assert.Equal(["key toplevel z app 1", "key toplevel y app 1"], Entries(server));
        server.Call("CONFIG", "SET", "acllog-max-len", "0");
        client.Call("GET", "x");
        Assert.Empty(Entries(server));
    }

    // "reason context object username count" of each entry.
    private static string[] Entries(InProcessServer server)
    {
        string[] lines = server.Call("ACL", "LOG", "100").Split("\r\n");
        string Value(int start, string name) => lines[Array.IndexOf(lines, name, start) + 2];
        return
        [
            .. Enumerable
                .Range(0, lines.Length)
                .Where(i => lines[i] == "reason")
                .Select(i =>
                    $"{Value(i, "reason")} {Value(i, "context")} {Value(i, "object")} {Value(i, "username")} {lines[i - 2].TrimStart(':')}"
                ),
        ];
    }
}
