// COMMAND and its subcommands, answered from the descriptors.
using Xunit;

namespace Garnet.Server.Tests.Commands.Introspection;

public sealed class CommandCommandTests
{
    [Fact]
    public void INFO_shows_flags_keys_categories_and_key_specifications()
    {
        using InProcessServer server = new();
        InProcessClient client = server.Connect(3);
        Assert.Equal(
            "*1\r\n*10\r\n$3\r\nget\r\n:2\r\n~2\r\n+readonly\r\n+fast\r\n:1\r\n:1\r\n:1\r\n~3\r\n+@read\r\n+@string\r\n+@fast\r\n~0\r\n"
                + "~1\r\n%3\r\n$5\r\nflags\r\n~2\r\n+RO\r\n+access\r\n$12\r\nbegin_search\r\n%2\r\n$4\r\ntype\r\n$5\r\nindex\r\n$4\r\nspec\r\n%1\r\n$5\r\nindex\r\n:1\r\n"
                + "$9\r\nfind_keys\r\n%2\r\n$4\r\ntype\r\n$5\r\nrange\r\n$4\r\nspec\r\n%3\r\n$7\r\nlastkey\r\n:0\r\n$7\r\nkeystep\r\n:1\r\n$5\r\nlimit\r\n:0\r\n*0\r\n",
            client.Call("COMMAND", "INFO", "GeT")
        );
        Assert.Equal("*3\r\n$-1\r\n$-1\r\n$-1\r\n", server.Call("COMMAND", "INFO", "nosuch", "get|x", "client|nosuch"));
        Assert.StartsWith("*1\r\n*10\r\n$9\r\nclient|id\r\n:2\r\n", server.Call("COMMAND", "INFO", "CLIENT|id"));
    }

    [Fact]
    public void COUNT_LIST_and_the_whole_table_agree()
    {
        using InProcessServer server = new();
        string count = server.Call("COMMAND", "COUNT")[1..];
        Assert.StartsWith("*" + count, server.Call("COMMAND"));
        Assert.Equal(server.Call("COMMAND"), server.Call("COMMAND", "INFO"));
        string list = server.Call("COMMAND", "LIST");
        Assert.Contains("$3\r\nget\r\n", list);
        Assert.Contains("$9\r\nclient|id\r\n", list);
        Assert.Equal("*1\r\n$9\r\nclient|id\r\n", server.Call("COMMAND", "LIST", "FILTERBY", "PATTERN", "CLIENT|I?"));
        Assert.Equal("*0\r\n", server.Call("COMMAND", "LIST", "FILTERBY", "MODULE", "any"));
        Assert.Equal("*0\r\n", server.Call("COMMAND", "LIST", "FILTERBY", "ACLCAT", "nosuch"));
        Assert.Contains("$4\r\nexec\r\n", server.Call("COMMAND", "LIST", "FILTERBY", "ACLCAT", "Transaction"));
        Assert.Equal("-ERR syntax error\r\n", server.Call("COMMAND", "LIST", "FILTERBY", "PATTERN"));
        Assert.Equal("-ERR syntax error\r\n", server.Call("COMMAND", "LIST", "FILTERBY", "COLOUR", "red"));
    }

    [Fact]
    public void DOCS_documents_every_command_and_skips_unknown_ones()
    {
        using InProcessServer server = new();
        InProcessClient client = server.Connect(3);
        Assert.Equal(
            "%1\r\n$4\r\necho\r\n%5\r\n$7\r\nsummary\r\n$25\r\nReturns the given string.\r\n$5\r\nsince\r\n$5\r\n1.0.0\r\n$5\r\ngroup\r\n$10\r\nconnection\r\n$10\r\ncomplexity\r\n$4\r\nO(1)\r\n"
                + "$9\r\narguments\r\n*1\r\n%3\r\n$4\r\nname\r\n$7\r\nmessage\r\n$4\r\ntype\r\n$6\r\nstring\r\n$12\r\ndisplay_text\r\n$7\r\nmessage\r\n",
            client.Call("COMMAND", "DOCS", "echo", "nosuch")
        );
        string all = client.Call("COMMAND", "DOCS");
        Assert.StartsWith("%" + server.Call("COMMAND", "COUNT")[1..], all);
        foreach (Garnet.Engine.Execution.Command command in server.Server.Commands.Commands)
            Assert.Contains($"${command.FullName.Length}\r\n{command.FullName}\r\n%", all);
        Assert.Equal("%0\r\n", client.Call("COMMAND", "DOCS", "nosuch"));
    }

    [Theory]
    [InlineData("SET", "SLIDING", "FROM")]
    [InlineData("GETEX", "SLIDING", "TOUCH", "FROM")]
    public void DOCS_documents_sliding_expiries(string command, params string[] tokens)
    {
        using InProcessServer server = new();
        string docs = server.Connect(3).Call("COMMAND", "DOCS", command);
        Assert.Contains("$4\r\nname\r\n$7\r\nsliding\r\n$4\r\ntype\r\n$5\r\nblock\r\n", docs);
        foreach (string token in tokens)
            Assert.Contains($"$5\r\ntoken\r\n${token.Length}\r\n{token}\r\n", docs);
    }

    [Theory]
    [InlineData("*1\r\n$1\r\nk\r\n", "GET", "k")]
    [InlineData("*2\r\n$1\r\na\r\n$1\r\nb\r\n", "WATCH", "a", "b")]
    [InlineData("-ERR Invalid command specified\r\n", "NOSUCH", "k")]
    [InlineData("-ERR Invalid command specified\r\n", "CLIENT", "NOSUCH")]
    [InlineData("-ERR The command has no key arguments\r\n", "PING")]
    [InlineData("-ERR Invalid number of arguments specified for command\r\n", "GET")]
    [InlineData("-ERR Invalid arguments specified for command\r\n", "ZUNIONSTORE", "d", "0", "a", "b")]
    [InlineData("*2\r\n$1\r\nk\r\n$1\r\nd\r\n", "SORT", "k", "STORE", "STORE", "d")]
    [InlineData("*1\r\n$1\r\na\r\n", "ZUNION", "01", "a", "b")]
    [InlineData("*3\r\n$1\r\na\r\n$1\r\nb\r\n$1\r\nd\r\n", "ZUNIONSTORE", "d", " +2x", "a", "b")]
    [InlineData("*1\r\n$1\r\na\r\n", "BZMPOP", "0", "4294967297", "a", "MIN")]
    [InlineData("-ERR Invalid arguments specified for command\r\n", "LMPOP", "-1x", "a", "LEFT")]
    [InlineData("-ERR Invalid arguments specified for command\r\n", "LMPOP", "99999999999999999999", "a", "LEFT")]
    [InlineData("-ERR Invalid arguments specified for command\r\n", "SINTERCARD", "3x", "a", "b")]
    [InlineData("-ERR Invalid arguments specified for command\r\n", "MSETEX", "01", "a", "b")]
    public void GETKEYS_finds_the_keys(string reply, params string[] call)
    {
        using InProcessServer server = new();
        Assert.Equal(reply, server.Call(["COMMAND", "GETKEYS", .. call]));
    }

    [Theory]
    [InlineData("*2\r\n+OW\r\n+update\r\n", "SET", "k", "v", "EX", "10")]
    [InlineData("*3\r\n+RW\r\n+access\r\n+update\r\n", "SET", "k", "v", "get")]
    [InlineData("*2\r\n+RO\r\n+access\r\n", "GET", "k")]
    [InlineData("*0\r\n", "ZDIFF", "1x", "k")]
    public void GETKEYSANDFLAGS_replies_with_the_flags_of_each_key(string flags, params string[] call)
    {
        using InProcessServer server = new();
        Assert.Equal("*1\r\n*2\r\n$1\r\nk\r\n" + flags, server.Call(["COMMAND", "GETKEYSANDFLAGS", .. call]));
    }

    [Fact]
    public void Unknown_subcommands_are_refused()
    {
        using InProcessServer server = new();
        Assert.Equal("-ERR unknown subcommand 'FOO'. Try COMMAND HELP.\r\n", server.Call("COMMAND", "FOO"));
        Assert.StartsWith("*21\r\n+COMMAND <subcommand> [<arg> [value] [opt] ...]. Subcommands are:\r\n", server.Call("COMMAND", "HELP"));
    }
}
