// Encodings and nodes of lists after histories of commands, compared with those of Valkey 9.1.2 after each command (list-nodes.txt). Each
// history has its own server.
using System.Globalization;
using System.Text.RegularExpressions;
using Garnet.Server.Tests.Commands.Keys;
using Garnet.Testing;
using Xunit;

namespace Garnet.Server.Tests.Commands.Lists;

public sealed partial class ListEncodingTests
{
    private static readonly string[][] Histories = [.. ReadHistories()];

    public static TheoryData<string> Titles => [.. Histories.Select(lines => lines[0])];

    [Theory]
    [MemberData(nameof(Titles))]
    public void A_list_has_the_same_nodes_as_in_the_reference(string title)
    {
        using InProcessServer server = new(options => options.EnableDebugCommand = CommandAccess.Yes);
        foreach (string line in Histories.Single(lines => lines[0] == title).Skip(1))
        {
            string command = line.Split(" | ")[0];
            server.Call([.. command.Split(' ').Select(Expand)]);
            Assert.Equal(line, $"{command} | {Shape(server, "a")} | {Shape(server, "b")}");
        }
    }

    // Two nodes that would fit in one stay two: a payload keeps the nodes.
    [Theory]
    [InlineData(-2)]
    [InlineData(4)]
    public void A_payload_keeps_the_nodes(int setting)
    {
        using InProcessServer server = new(options => options.EnableDebugCommand = CommandAccess.Yes);
        server.Call("CONFIG", "SET", "list-max-listpack-size", $"{setting}");
        server.Call(["RPUSH", "a", .. Enumerable.Repeat(new string('x', 1300), 13)]);
        server.Call("RPUSH", "a", new string('y', 9000));
        server.Call("LTRIM", "a", "3", "-1");
        server.Call("LTRIM", "a", "3", "-1");
        server.Call("LSET", "a", "0", "1");
        string shape = Shape(server, "a");
        Assert.Matches("^quicklist [3-9] ", shape);
        Assert.Equal("+OK\r\n", server.Call("RESTORE", "b", "0", Dumps.Text(Dumps.Of(server, "a"))));
        Assert.Equal(shape, Shape(server, "b"));
        Assert.Equal(server.Call("LRANGE", "a", "0", "-1"), server.Call("LRANGE", "b", "0", "-1"));
    }

    // A list that was split with one setting keeps using it.
    [Fact]
    public void A_list_keeps_the_setting_it_was_split_with()
    {
        using InProcessServer server = new(options => options.EnableDebugCommand = CommandAccess.Yes);
        server.Call("CONFIG", "SET", "list-max-listpack-size", "2", "list-compress-depth", "1");
        server.Call("RPUSH", "a", "1", "2", "3");
        server.Call("RPUSH", "b", "1", "2");
        server.Call("LINSERT", "b", "BEFORE", "none", "x");
        server.Call("CONFIG", "SET", "list-max-listpack-size", "-70", "list-compress-depth", "0");
        server.Call("RPUSH", "a", "4", "5");
        server.Call("RPUSH", "b", "3");
        server.Call("RPUSH", "c", new string('x', 70_000));
        Assert.Contains(
            " ql_nodes:3 ql_avg_node:1.67 ql_listpack_max:2 ql_compressed:1 ",
            server.Call("DEBUG", "OBJECT", "a"),
            StringComparison.Ordinal
        );
        Assert.Contains(
            " ql_nodes:2 ql_avg_node:1.50 ql_listpack_max:2 ql_compressed:1 ",
            server.Call("DEBUG", "OBJECT", "b"),
            StringComparison.Ordinal
        );
        Assert.Contains(
            " ql_nodes:1 ql_avg_node:1.00 ql_listpack_max:-5 ql_compressed:0 ",
            server.Call("DEBUG", "OBJECT", "c"),
            StringComparison.Ordinal
        );
    }

    private static string Shape(InProcessServer server, string key)
    {
        if (server.Call("EXISTS", key) == ":0\r\n")
            return "-";
        Match found = Described().Match(server.Call("DEBUG", "OBJECT", key));
        Assert.True(found.Success);
        return found.Groups[2].Success ? $"{found.Groups[1]} {found.Groups[2]} {found.Groups[3]}" : found.Groups[1].Value;
    }

    // Histories are separated by empty lines; each begins with its title, and settings precede the first command.
    private static IEnumerable<string[]> ReadHistories()
    {
        string text = File.ReadAllText(RepositoryRoot.Combine("test", "Garnet.Server.Tests", "Commands", "Lists", "list-nodes.txt"));
        return text.Split("\n\n").Skip(1).Select(history => history.Split('\n', StringSplitOptions.RemoveEmptyEntries));
    }

    private static string Expand(string argument)
    {
        string[] parts = argument.Split('*');
        return parts.Length == 2 ? new string(parts[0][0], int.Parse(parts[1], CultureInfo.InvariantCulture)) : argument;
    }

    [GeneratedRegex("encoding:(\\w+) (?:.* ql_nodes:(\\d+) .* ql_uncompressed_size:(\\d+))?")]
    private static partial Regex Described();
}
