// The sample with JSON documents. Each test has its own server.
using System.Text.Json.Nodes;
using Garnet.JsonDocuments;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Server.Tests.Modules;

public sealed class JsonDocumentTests(ITestOutputHelper output)
{
    private static InProcessServer NewServer() =>
        new(static options => options.EnableDebugCommand = CommandAccess.Yes, extensions: ModuleServer.With(typeof(JsonDocumentModule)));

    [Fact]
    public void Parts_are_read_set_and_removed_by_their_path()
    {
        using InProcessServer server = NewServer();
        Assert.Equal("+OK\r\n", server.Call("JSON.SET", "k", "$", """{"a": [1, {"b": null}], "c": "x"}"""));
        Assert.Equal("$11\r\n{\"b\": null}\r\n", server.Call("JSON.GET", "k", "PATH", "$.a[1]"));
        Assert.Equal("$4\r\nnull\r\n", server.Call("JSON.GET", "k", "PATH", "$.a[1].b"));
        Assert.Equal("$-1\r\n", server.Call("JSON.GET", "k", "PATH", "$.a[2]"));
        Assert.Equal(":2\r\n", server.Call("JSON.COUNT", "k", "$.a"));
        Assert.Equal("+OK\r\n", server.Call("JSON.SET", "k", "$.a[2]", "true"));
        Assert.Equal("+OK\r\n", server.Call("JSON.SET", "k", "$.d", "{}"));
        Assert.Equal("+OK\r\n", server.Call("JSON.SET", "k", "$.d[\"e \"]", "1"));
        Assert.Equal("$-1\r\n", server.Call("JSON.SET", "k", "$.d", "2", "NX"));
        Assert.Equal("$-1\r\n", server.Call("JSON.SET", "k", "$.e", "2", "XX"));
        Assert.Equal(":1\r\n", server.Call("JSON.DEL", "k", "$.a[0]"));
        Assert.Equal(":1\r\n", server.Call("JSON.DEL", "k", "$.c"));
        Assert.Equal(":0\r\n", server.Call("JSON.DEL", "k", "$.c"));
        string document = server.Call("JSON.GET", "k", "PATH", "$");
        var left = JsonNode.Parse(document[(document.IndexOf('\n', StringComparison.Ordinal) + 1)..^2]);
        Assert.True(JsonNode.DeepEquals(JsonNode.Parse("""{"a": [{"b": null}, true], "d": {"e ": 1}}"""), left), document);
        Assert.Equal(":1\r\n", server.Call("JSON.DEL", "k", "$"));
        Assert.Equal(":0\r\n", server.Call("EXISTS", "k"));
    }

    [Theory]
    [InlineData("JSON.SET", "k", "$", "{")]
    [InlineData("JSON.SET", "k", "$", "")]
    [InlineData("JSON.SET", "k", "$", "1 2")]
    [InlineData("JSON.SET", "k", "a[", "1")]
    [InlineData("JSON.SET", "k", "$[-1]", "1")]
    [InlineData("JSON.SET", "k", "$..a", "1")]
    [InlineData("JSON.SET", "k", "$.x.y", "1")]
    [InlineData("JSON.SET", "new", "$.x", "1")]
    [InlineData("JSON.GET", "k", "PATH", "[\"a]")]
    [InlineData("JSON.DEL", "k", "[]")]
    [InlineData("JSON.GET", "s")]
    public void Wrong_arguments_are_errors(params string[] command)
    {
        using InProcessServer server = NewServer();
        server.Call("SET", "s", "x");
        server.Call("JSON.SET", "k", "$", "[0]");
        Assert.StartsWith("-", server.Call(command), StringComparison.Ordinal);
        Assert.Equal("$3\r\n[0]\r\n", server.Call("JSON.GET", "k"));
    }

    [Fact]
    public void Depth_and_size_are_limited()
    {
        using InProcessServer server = NewServer();
        string deep = new string('[', 128) + new string(']', 128);
        Assert.Equal("+OK\r\n", server.Call("JSON.SET", "k", "$", deep));
        Assert.StartsWith("-ERR the value is no JSON", server.Call("JSON.SET", "k", "$", $"[{deep}]"), StringComparison.Ordinal);
        server.Call("JSON.SET", "k", "$", "[[]]");
        Assert.StartsWith("-ERR the document would be too deep", server.Call("JSON.SET", "k", "$[0]", deep), StringComparison.Ordinal);
        server.Call("CONFIG", "SET", "json.max-bytes", "10");
        Assert.StartsWith("-ERR the document is larger", server.Call("JSON.SET", "k", "$", "[1,2,3,4,5]"), StringComparison.Ordinal);
    }

    // Random changes of a document, compared with those of the framework's own tree.
    [Fact]
    public void Changes_agree_with_those_of_a_tree()
    {
        var random = new Random(TestSeed.Choose(output, 1));
        using InProcessServer server = NewServer();
        var model = new JsonObject();
        server.Call("JSON.SET", "k", "$", " { } ");
        for (int i = 0; i < 500; i++)
        {
            string name = $"m{random.Next(5)}";
            bool isInner = random.Next(2) == 0 && model[name] is JsonObject;
            JsonObject parent = isInner ? (JsonObject)model[name]! : model;
            string member = isInner ? "a b'/"[random.Next(5)].ToString() : name;
            string path = isInner ? $"$.{name}[\"{member}\"]" : $"$.{name}";
            if (random.Next(3) == 0)
            {
                Assert.Equal(parent.Remove(member) ? ":1\r\n" : ":0\r\n", server.Call("JSON.DEL", "k", path));
            }
            else
            {
                string value = new[] { "1", "{}", "[ 1 , 2 ]", "\"}\"", "null", "{ \"a\" : 3 }" }[random.Next(6)];
                parent[member] = JsonNode.Parse(value);
                Assert.Equal("+OK\r\n", server.Call("JSON.SET", "k", path, value));
            }

            string reply = server.Call("JSON.GET", "k");
            string document = reply[(reply.IndexOf('\n', StringComparison.Ordinal) + 1)..^2];
            Assert.True(JsonNode.DeepEquals(model, JsonNode.Parse(document)), document);
        }
    }

    [Fact]
    public void A_damaged_document_is_refused_or_usable()
    {
        var random = new Random(TestSeed.Choose(output, 2));
        using InProcessServer server = NewServer();
        server.Call("JSON.SET", "k", "$", """{"a":[1,2.5e3,"\u0041"],"b":{"c":true}}""");
        Damage.Restore(
            server,
            "k",
            random,
            3000,
            () =>
            {
                Assert.StartsWith("$", server.Call("JSON.GET", "r", "PATH", "$.a[1]"), StringComparison.Ordinal);
                Assert.Matches("^[+-]", server.Call("JSON.SET", "r", "$.b.d", "1"));
                Assert.StartsWith(":", server.Call("JSON.DEL", "r", "$.a[0]"), StringComparison.Ordinal);
            }
        );
    }
}
