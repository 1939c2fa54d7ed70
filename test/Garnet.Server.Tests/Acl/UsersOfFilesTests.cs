// Users from options, configuration files and ACL files: loading, saving, damage.
using System.Text;
using Garnet.Server.Startup;
using Xunit;

namespace Garnet.Server.Tests.Acl;

public sealed class UsersOfFilesTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("garnet-acl-").FullName;

    private string AclFile => Path.Combine(_folder, "users.acl");

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public void What_ACL_SAVE_writes_ACL_LOAD_reads()
    {
        File.WriteAllText(AclFile, "\nuser app on >secret ~app:* +@all -@dangerous (+get ~x) \r\nuser default on nopass ~* &* +@all\n");
        using InProcessServer server = new(options => options.AclFile = AclFile);
        Assert.Equal("+OK\r\n", server.Connect().Call("AUTH", "app", "secret"));
        server.Call("ACL", "SETUSER", "b\u00e9", "on", "%R~\u00ff*", "&c", "db=1,2", "+config|get");
        string listed = server.Call("ACL", "LIST");
        Assert.Equal("+OK\r\n", server.Call("ACL", "SAVE"));
        Assert.Equal(
            listed.Split("\r\n")[2..].Where((_, i) => i % 2 == 0),
            File.ReadAllText(AclFile, Encoding.Latin1).TrimEnd('\n').Split('\n')
        );
        server.Call("ACL", "SETUSER", "app", "reset");
        server.Call("ACL", "SETUSER", "extra");
        Assert.Equal("+OK\r\n", server.Call("ACL", "LOAD"));
        Assert.Equal(listed, server.Call("ACL", "LIST"));
    }

    [Fact]
    public void Subscribers_to_channels_that_the_file_does_not_allow_are_closed()
    {
        File.WriteAllText(AclFile, "user app on nopass +@all resetchannels &a\nuser other on nopass +@all resetchannels &b\n");
        using InProcessServer server = new(options => options.AclFile = AclFile);
        using InProcessClient app = server.Connect();
        using InProcessClient other = server.Connect();
        app.Call("AUTH", "app", "");
        other.Call("AUTH", "other", "");
        app.Call("SUBSCRIBE", "a");
        other.Call("SUBSCRIBE", "b");
        File.WriteAllText(AclFile, "user app on nopass +@all resetchannels &c\nuser other on nopass +@all resetchannels &b &c\n");
        Assert.Equal("+OK\r\n", server.Call("ACL", "LOAD"));
        Assert.True(app.Session.End.IsForced);
        Assert.False(other.Session.End.IsForced);
    }

    [Fact]
    public void A_file_with_mistakes_changes_nothing_and_names_their_lines()
    {
        File.WriteAllText(AclFile, "user app on nopass +@all ~*\n");
        using InProcessServer server = new(options => options.AclFile = AclFile);
        using InProcessClient client = server.Connect();
        client.Call("AUTH", "app", "");
        string listed = server.Call("ACL", "LIST");
        foreach (
            (string text, string problem) in ((string, string)[])
                [
                    ("user app on\nusr b on", ":2 should start with user keyword followed by the username. "),
                    ("user", ":1 should start with user keyword"),
                    ("user app +nosuch", ":1: Error in applying operation '+nosuch': Unknown command or category name in ACL. "),
                    ("user app on\n\nuser app off", "WARNING: Duplicate user 'app' found on line 3. "),
                    ("user app (+get", ":1: Unmatched parenthesis in selector definition."),
                    ("user app ~* ~a", ":1: Adding a pattern after the * pattern"),
                    ("\0\u00ff\u00fe", ":1 should start with user"),
                ]
        )
        {
            File.WriteAllText(AclFile, text, Encoding.Latin1);
            string reply = server.Call("ACL", "LOAD");
            Assert.Contains(problem, reply, StringComparison.Ordinal);
            Assert.EndsWith("no change to the previously active ACL rules was performed\r\n", reply, StringComparison.Ordinal);
            Assert.Equal(listed, server.Call("ACL", "LIST"));
        }

        File.Delete(AclFile);
        Assert.StartsWith("-ERR Error loading ACLs, opening file", server.Call("ACL", "LOAD"), StringComparison.Ordinal);
        Assert.Equal("+PONG\r\n", client.Call("PING"));

        // Users that the file no longer has lose their connections.
        File.WriteAllText(AclFile, "");
        Assert.Equal("+OK\r\n", server.Call("ACL", "LOAD"));
        Assert.Equal("", client.Call("PING"));
        Assert.True(client.IsClosed);
        Assert.Equal("*1\r\n$34\r\nuser default on nopass ~* &* +@all\r\n", server.Call("ACL", "LIST"));
    }

    [Fact]
    public void A_file_cut_anywhere_is_loaded_or_refused_and_never_half_applied()
    {
        const string own = "user default on nopass ~* &* +@all\n";
        const string text = own + "user app on >secret ~app:* +@read +config|get (+set ~b)\n";
        using InProcessServer server = new(options => options.AclFile = Write(own));
        for (int length = own.Length; length <= text.Length; length++)
        {
            Write(text[..length]);
            string before = server.Call("ACL", "LIST");
            if (server.Call("ACL", "LOAD") != "+OK\r\n")
                Assert.Equal(before, server.Call("ACL", "LIST"));
        }

        Assert.Contains("user app on #", server.Call("ACL", "LIST"), StringComparison.Ordinal);
    }

    [Fact]
    public void The_start_is_refused_with_users_that_cannot_be_used()
    {
        Assert.Contains("opening file", Refusal(options => options.AclFile = AclFile), StringComparison.Ordinal);
        Write("user app +nosuch");
        Assert.Contains(
            ":1: Error in applying operation '+nosuch'",
            Refusal(options => options.AclFile = AclFile),
            StringComparison.Ordinal
        );
        Assert.Contains("user a b: ", Refusal(options => options.Users = Of("a b", "on")), StringComparison.Ordinal);
        Assert.Contains(
            "user app: Error in ACL SETUSER modifier 'bogus': Syntax error",
            Refusal(options => options.Users = Of("app", "on bogus")),
            StringComparison.Ordinal
        );
        Write("");
        Assert.Contains(
            "not in both",
            Refusal(options =>
            {
                options.AclFile = AclFile;
                options.Users = Of("app", "on");
            }),
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void A_configuration_file_has_users_and_CONFIG_REWRITE_keeps_them()
    {
        string path = Path.Combine(_folder, "garnet.conf");
        File.WriteAllText(path, "# users\nuser app on >secret ~app:* +@all\nport 7000\nuser default on >x ~* &* +@all\n");
        GarnetOptions options = new();
        new OptionReader(options).ReadFile(path);
        Assert.Equal("on >secret ~app:* +@all", options.Users["app"]);
        using InProcessServer server = new(own => own.Users = options.Users, file: path);
        using InProcessClient client = server.Connect();
        Assert.Equal("+OK\r\n", client.Call("AUTH", "x"));
        Assert.Equal("+OK\r\n", client.Call("ACL", "SETUSER", "caf\u00c3\u00a9", "on", "nopass", "~\"q\"*"));
        Assert.Equal("+OK\r\n", client.Call("CONFIG", "REWRITE"));
        GarnetOptions again = new();
        new OptionReader(again).ReadFile(path);
        Assert.Equal(["app", "caf\u00e9", "default"], again.Users.Keys.Order(StringComparer.Ordinal));
        using InProcessServer restarted = new(own => own.Users = again.Users);
        using InProcessClient other = restarted.Connect();
        Assert.Equal("+OK\r\n", other.Call("AUTH", "x"));
        Assert.Equal(client.Call("ACL", "LIST"), other.Call("ACL", "LIST"));
        Assert.DoesNotContain("secret", File.ReadAllText(path), StringComparison.Ordinal);

        client.Call("ACL", "SETUSER", "\u00ff");
        Assert.Contains("use aclfile", client.Call("CONFIG", "REWRITE"), StringComparison.Ordinal);
    }

    private static Dictionary<string, string> Of(string name, string rules) => new() { [name] = rules };

    private static string Refusal(Action<GarnetOptions> configure) =>
        Assert.Throws<OptionException>(() => new InProcessServer(configure)).Message;

    private string Write(string text)
    {
        File.WriteAllText(AclFile, text);
        return AclFile;
    }
}
