// Roles: rules that several users have on top of their own. Each test has its own server.
using Garnet.Server.Startup;
using Xunit;

namespace Garnet.Server.Tests.Acl;

public sealed class RoleTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("garnet-roles-").FullName;
    private readonly InProcessServer _server = new();

    public void Dispose()
    {
        _server.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    [Fact]
    public void A_user_may_do_what_its_own_rules_or_one_of_its_roles_allow_as_a_whole()
    {
        Ok("ACL", "SETROLE", "a", "+get", "~a:*", "(+set ~w:*)");
        Ok("ACL", "SETROLE", "b", "+set", "~b:*");
        Ok("ACL", "SETUSER", "ann", "on", "nopass", "role=a,b", "+del", "~own");
        Assert.Equal("+OK\r\n", Ask("GET", "a:1"));
        Assert.Equal("+OK\r\n", Ask("SET", "w:1", "v"));
        Assert.Equal("+OK\r\n", Ask("SET", "b:1", "v"));
        Assert.Equal("+OK\r\n", Ask("DEL", "own"));
        foreach (
            string[] call in (string[][])
                [
                    ["GET", "b:1"],
                    ["SET", "a:1", "v"],
                    ["GET", "w:1"],
                    ["DEL", "a:1"],
                    ["GET", "own"],
                ]
        )
        {
            Assert.Contains("no permissions", Ask(call), StringComparison.Ordinal);
        }

        Ok("ACL", "SETROLE", "all", "+@all", "~*");
        Ok("ACL", "SETUSER", "ann", "role=all", "-@all");
        Assert.Equal("+OK\r\n", Ask("FLUSHALL"));
        Ok("ACL", "SETUSER", "ann", "resetroles");
        Assert.Contains("no permissions", Ask("FLUSHALL"), StringComparison.Ordinal);
    }

    [Fact]
    public void A_change_of_a_role_applies_to_the_next_command_of_its_users()
    {
        Ok("ACL", "SETROLE", "r", "+@all", "~*");
        Ok("ACL", "SETUSER", "ann", "on", "nopass", "role=r");
        using InProcessClient ann = _server.Connect();
        Assert.Equal("+OK\r\n", ann.Call("AUTH", "ann", ""));
        Assert.Equal("+OK\r\n", ann.Call("SET", "k", "v"));
        Assert.StartsWith("*0", ann.Call("SORT", "none", "BY", "w_*"), StringComparison.Ordinal);
        Ok("ACL", "SETROLE", "r", "resetkeys", "~only:*");
        Assert.Equal("-NOPERM No permissions to access a key\r\n", ann.Call("SET", "k", "v"));
        Assert.StartsWith("-", ann.Call("SORT", "only:none", "BY", "w_*"), StringComparison.Ordinal);
        Assert.Equal("+OK\r\n", ann.Call("SET", "only:k", "v"));
        Assert.Contains("$3\r\nann\r\n", _server.Call("ACL", "LOG"), StringComparison.Ordinal);
        Ok("ACL", "SETUSER", "ann", "reset", "on", "nopass");
        Assert.StartsWith("-NOPERM", ann.Call("SET", "only:k", "v"), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("ACL", "SETROLE", "r", "resetchannels", "&other")]
    [InlineData("ACL", "SETUSER", "ann", "resetroles")]
    public void Subscribers_that_lose_a_channel_with_a_role_are_closed(params string[] change)
    {
        Ok("ACL", "SETROLE", "r", "resetchannels", "+@all", "&news:*");
        Ok("ACL", "SETROLE", "kept", "resetchannels", "+@all", "&news:*");
        Ok("ACL", "SETUSER", "ann", "on", "nopass", "resetchannels", "role=r");
        Ok("ACL", "SETUSER", "bob", "on", "nopass", "resetchannels", "role=r,kept");
        using InProcessClient ann = _server.Connect();
        using InProcessClient bob = _server.Connect();
        ann.Call("AUTH", "ann", "");
        bob.Call("AUTH", "bob", "");
        Assert.StartsWith("*3\r\n", ann.Call("SUBSCRIBE", "news:1"), StringComparison.Ordinal);
        bob.Call("SUBSCRIBE", "news:1");
        Ok(change);
        Assert.True(ann.Session.End.IsForced);
        Assert.False(bob.Session.End.IsForced);
    }

    [Fact]
    public void Roles_are_described_with_their_users_and_cannot_be_deleted_from_under_them()
    {
        Ok("ACL", "SETROLE", "reader", "~app:*", "resetchannels", "+get", "(+info)");
        Ok("ACL", "SETROLE", "Reader", "+get");
        Ok("ACL", "SETUSER", "ann", "role=reader,reader");
        Ok("ACL", "SETUSER", "ANN", "role=reader");
        Assert.Equal("*2\r\n$6\r\nReader\r\n$6\r\nreader\r\n", _server.Call("ACL", "ROLES"));
        Assert.Equal(
            "*12\r\n$8\r\ncommands\r\n$10\r\n-@all +get\r\n$4\r\nkeys\r\n$6\r\n~app:*\r\n$8\r\nchannels\r\n$0\r\n\r\n$9\r\ndatabases\r\n$6\r\nalldbs\r\n"
                + "$9\r\nselectors\r\n*1\r\n*8\r\n$8\r\ncommands\r\n$11\r\n-@all +info\r\n$4\r\nkeys\r\n$0\r\n\r\n$8\r\nchannels\r\n$0\r\n\r\n"
                + "$9\r\ndatabases\r\n$6\r\nalldbs\r\n$5\r\nusers\r\n*2\r\n$3\r\nANN\r\n$3\r\nann\r\n",
            _server.Call("ACL", "GETROLE", "reader")
        );
        Assert.Equal("$-1\r\n", _server.Call("ACL", "GETROLE", "nosuch"));
        Assert.EndsWith("$5\r\nroles\r\n*1\r\n$6\r\nreader\r\n", _server.Call("ACL", "GETUSER", "ann"), StringComparison.Ordinal);
        string[] listed = [.. _server.Call("ACL", "LIST").Split("\r\n").Where((_, i) => i % 2 == 0 && i > 0)];
        Assert.Equal("role Reader resetchannels -@all +get", listed[0]);
        Assert.Equal("role reader ~app:* resetchannels -@all +get (resetchannels -@all +info)", listed[1]);
        Assert.Equal("user ann off role=reader resetchannels -@all", listed[3]);
        Assert.Equal(
            "-ERR Role 'reader' is assigned to one or more users. Remove it from them first.\r\n",
            _server.Call("ACL", "DELROLE", "Reader", "reader")
        );
        Ok("ACL", "SETUSER", "ann", "resetroles");
        Assert.Equal(":1\r\n", _server.Call("ACL", "DELUSER", "ANN"));
        Assert.Equal(":2\r\n", _server.Call("ACL", "DELROLE", "Reader", "reader", "nosuch"));
        Assert.Equal("$-1\r\n", _server.Call("ACL", "GETUSER", "reader"));
    }

    [Theory]
    [InlineData("Error in ACL SETROLE modifier 'on': Syntax error", "SETROLE", "r", "+get", "on")]
    [InlineData("Error in ACL SETROLE modifier '>p': Syntax error", "SETROLE", "r", ">p")]
    [InlineData("Error in ACL SETROLE modifier 'nopass': Syntax error", "SETROLE", "r", "nopass")]
    [InlineData("Error in ACL SETROLE modifier 'reset': Syntax error", "SETROLE", "r", "reset")]
    [InlineData("Error in ACL SETROLE modifier 'role=a': Syntax error", "SETROLE", "r", "role=a")]
    [InlineData("Error in ACL SETROLE modifier 'resetroles': Syntax error", "SETROLE", "r", "resetroles")]
    [InlineData("Unmatched parenthesis in acl selector starting at '(+get'.", "SETROLE", "r", "(+get")]
    [InlineData("Role names can't be empty", "SETROLE", "", "+get")]
    [InlineData("Role names can only contain printable ASCII characters except spaces", "SETROLE", "a b", "+get")]
    [InlineData("Role names can't contain commas", "SETROLE", "a,b", "+get")]
    [InlineData("Role names can't contain quotes or backslashes", "SETROLE", "a\"b", "+get")]
    [InlineData("Error in ACL SETUSER modifier 'role=a,none': The role does not exist", "SETUSER", "ann", "role=a,none")]
    [InlineData("Error in ACL SETUSER modifier 'role=': Syntax error", "SETUSER", "ann", "role=")]
    [InlineData("Error in ACL SETUSER modifier 'role=a,': Syntax error", "SETUSER", "ann", "role=a,")]
    public void What_is_wrong_is_said_and_changes_nothing(string problem, params string[] call)
    {
        Ok("ACL", "SETROLE", "a", "+get", "~*");
        Ok("ACL", "SETUSER", "ann", "role=a");
        string listed = _server.Call("ACL", "LIST");
        Assert.Equal($"-ERR {problem}\r\n", _server.Call(["ACL", .. call]));
        Assert.Equal(listed, _server.Call("ACL", "LIST"));
    }

    [Fact]
    public void Files_keep_roles()
    {
        string acl = Path.Combine(_folder, "users.acl");
        File.WriteAllText(acl, "user ann on nopass role=app.read-only,second\nrole second ~s:* +set\nrole app.read-only ~app:* +@read\n");
        using (InProcessServer server = new(options => options.AclFile = acl))
        {
            string listed = server.Call("ACL", "LIST");
            Assert.Equal("+OK\r\n", server.Call("ACL", "DRYRUN", "ann", "GET", "app:1"));
            Assert.Equal("+OK\r\n", server.Call("ACL", "DRYRUN", "ann", "SET", "s:1", "v"));
            Assert.Equal("+OK\r\n", server.Call("ACL", "SAVE"));
            Assert.StartsWith("role app.read-only ", File.ReadAllText(acl), StringComparison.Ordinal);
            Assert.Equal("+OK\r\n", server.Call("ACL", "LOAD"));
            Assert.Equal(listed, server.Call("ACL", "LIST"));
            foreach (
                (string text, string problem) in ((string, string)[])
                    [
                        ("role", ":1 role keyword requires a role name. "),
                        ("\nrole bad >p", ":2: Syntax error. "),
                        ("role a,b +get", ":1: invalid role name: Role names can't contain commas. "),
                        ("role dup +get\nrole dup +set", "WARNING: Duplicate role 'dup' found on line 2. "),
                        ("user ann role=none", ":1: The role does not exist. "),
                    ]
            )
            {
                File.WriteAllText(acl, text);
                string reply = server.Call("ACL", "LOAD");
                Assert.Contains(problem, reply, StringComparison.Ordinal);
                Assert.Equal(listed, server.Call("ACL", "LIST"));
            }
        }

        string file = Path.Combine(_folder, "garnet.conf");
        File.WriteAllText(file, "role second ~s:* +set\nuser ann on nopass role=second\n");
        var read = new GarnetOptions();
        var reader = new OptionReader(read);
        reader.ReadFile(file);
        reader.Finish();
        using (InProcessServer server = new(options => (options.Roles, options.Users) = (read.Roles, read.Users), file: file))
        {
            Assert.Equal("+OK\r\n", server.Call("ACL", "DRYRUN", "ann", "SET", "s:1", "v"));
            Assert.Equal("+OK\r\n", server.Call("ACL", "SETROLE", "third", "~t:*", "+get"));
            Assert.Equal("+OK\r\n", server.Call("CONFIG", "REWRITE"));
            string[] lines = File.ReadAllLines(file);
            Assert.Contains(lines, static line => line.StartsWith("role third ", StringComparison.Ordinal));
            Assert.Equal(2, lines.Count(static line => line.StartsWith("role ", StringComparison.Ordinal)));
            Assert.Contains(lines, static line => line.StartsWith("user ann on nopass role=second ", StringComparison.Ordinal));
        }

        File.WriteAllText(file, "role dup +get\nrole dup +set\n");
        OptionException twice = Assert.Throws<OptionException>(() => new OptionReader(new GarnetOptions()).ReadFile(file));
        Assert.Contains("role dup: Duplicate role found", twice.Message, StringComparison.Ordinal);
    }

    private void Ok(params string[] call) => Assert.Equal("+OK\r\n", _server.Call(call));

    private string Ask(params string[] call) => _server.Call(["ACL", "DRYRUN", "ann", .. call]);
}
