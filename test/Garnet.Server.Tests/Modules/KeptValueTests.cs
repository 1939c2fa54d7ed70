// Values whose module is missing, which are refused, or kept if an option says so.
using System.Buffers.Binary;
using Garnet.BloomFilter;
using Garnet.JsonDocuments;
using Garnet.Modules.Running;
using Garnet.Server.Composition;
using Garnet.Server.Tests.Persistence;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Server.Tests.Modules;

public sealed class KeptValueTests(ITestOutputHelper output)
{
    private static readonly string Bloom = typeof(BloomFilterModule).Assembly.Location;
    private static readonly string Json = typeof(JsonDocumentModule).Assembly.Location;

    private static ServerExtensions FromFiles => new() { ModuleFormat = AssemblyModules.Instance };

    private static void Keep(GarnetOptions options)
    {
        options.ModuleMissingTypes = MissingTypes.Keep;
        options.EnableModuleCommand = CommandAccess.Yes;
        options.EnableDebugCommand = CommandAccess.Yes;
    }

    private static string PayloadOf(string reply) => reply[(reply.IndexOf('\n', StringComparison.Ordinal) + 1)..^2];

    // A filter with one item, and a document.
    private static (string Filter, string Document) NewPayloads()
    {
        using InProcessServer server = new(extensions: ModuleServer.With(typeof(BloomFilterModule), typeof(JsonDocumentModule)));
        server.Call("BLOOM.RESERVE", "f", "0.01", "100");
        server.Call("BLOOM.ADD", "f", "x");
        Assert.Equal("+OK\r\n", server.Call("JSON.SET", "d", "$", "{\"a\":[1,2,3]}"));
        return (PayloadOf(server.Call("DUMP", "f")), PayloadOf(server.Call("DUMP", "d")));
    }

    [Fact]
    public void By_default_a_payload_is_refused()
    {
        using InProcessServer server = new(static options => options.EnableModuleCommand = CommandAccess.Yes, extensions: FromFiles);
        string payload = NewPayloads().Filter;
        Assert.Equal("-ERR Bad data format\r\n", server.Call("RESTORE", "f", "0", payload));
        Assert.Equal("+OK\r\n", server.Call("CONFIG", "SET", "module-missing-types", "keep"));
        Assert.Equal("+OK\r\n", server.Call("RESTORE", "f", "0", payload));
        Assert.Equal("+OK\r\n", server.Call("CONFIG", "SET", "module-missing-types", "refuse"));
        Assert.Equal(payload, PayloadOf(server.Call("DUMP", "f")));
    }

    [Fact]
    public void A_kept_value_works_with_commands_for_any_key_and_no_others()
    {
        using InProcessServer server = new(Keep, recordEffects: true, extensions: FromFiles);
        string payload = NewPayloads().Filter;
        Assert.Equal("+OK\r\n", server.Call("RESTORE", "f", "0", payload));
        Assert.StartsWith("RESTORE f 0 ", server.Effects.Take()[0], StringComparison.Ordinal);
        Assert.Equal("+bloom-001\r\n", server.Call("TYPE", "f"));
        Assert.Equal("$3\r\nraw\r\n", server.Call("OBJECT", "ENCODING", "f"));
        Assert.StartsWith("+Value at:", server.Call("DEBUG", "OBJECT", "f"), StringComparison.Ordinal);
        Assert.StartsWith(":", server.Call("MEMORY", "USAGE", "f"), StringComparison.Ordinal);
        foreach (string command in (string[])["GET", "LLEN", "HGETALL", "SCARD", "ZCARD", "XLEN", "INCR"])
            Assert.StartsWith("-WRONGTYPE", server.Call(command, "f"), StringComparison.Ordinal);
        Assert.Equal("*2\r\n$1\r\n0\r\n*1\r\n$1\r\nf\r\n", server.Call("SCAN", "0", "TYPE", "-missing-"));
        Assert.Contains("keys_of_missing_types:1\r\n", server.Call("INFO", "modules"), StringComparison.Ordinal);
        Assert.Equal(":1\r\n", server.Call("COPY", "f", "copy", "DB", "1"));
        Assert.Equal("+OK\r\n", server.Call("RENAME", "f", "g"));
        Assert.Equal(":1\r\n", server.Call("PEXPIRE", "g", "1000"));
        Assert.Equal(server.Call("DEBUG", "DIGEST"), server.Call("DEBUG", "DIGEST"));
        Assert.Equal(payload, PayloadOf(server.Call("DUMP", "g")));
        server.Clock.Advance(TimeSpan.FromSeconds(2));
        Assert.Equal("+none\r\n", server.Call("TYPE", "g"));
        server.Call("SELECT", "1");
        Assert.Equal(":1\r\n", server.Call("UNLINK", "copy"));
        Assert.DoesNotContain("keys_of_missing_types", server.Call("INFO", "modules"), StringComparison.Ordinal);
    }

    [Fact]
    public void It_becomes_a_value_when_its_module_is_loaded_and_nothing_is_replicated()
    {
        using InProcessServer server = new(Keep, recordEffects: true, extensions: FromFiles);
        (string filter, string document) = NewPayloads();
        server.Call("RESTORE", "f", "5000", filter);
        server.Call("SELECT", "2");
        server.Call("RESTORE", "d", "0", document);
        server.Call("SET", "s", "v");
        server.Effects.Take();
        Assert.Equal("+OK\r\n", server.Call("MODULE", "LOAD", Json));
        Assert.Equal("$13\r\n{\"a\":[1,2,3]}\r\n", server.Call("JSON.GET", "d"));
        Assert.Contains("keys_of_missing_types:1\r\n", server.Call("INFO", "modules"), StringComparison.Ordinal);
        Assert.Equal("+OK\r\n", server.Call("MODULE", "LOAD", Bloom));
        Assert.Empty(server.Effects.Take());
        server.Call("SELECT", "0");
        Assert.Equal(":1\r\n", server.Call("BLOOM.EXISTS", "f", "x"));
        Assert.Equal(":5000\r\n", server.Call("PTTL", "f"));
        Assert.Equal(filter, PayloadOf(server.Call("DUMP", "f")));
        Assert.StartsWith(
            "-ERR Error unloading module: the module's types have keys",
            server.Call("MODULE", "UNLOAD", "bloom"),
            StringComparison.Ordinal
        );
        Assert.DoesNotContain("keys_of_missing_types", server.Call("INFO", "modules"), StringComparison.Ordinal);
    }

    [Fact]
    public void Log_and_snapshot_keep_it_byte_for_byte_until_the_module_is_there()
    {
        using LoggedServer logged = new(Keep, extensions: FromFiles);
        (string filter, string document) = NewPayloads();
        Assert.Equal("+OK\r\n", logged.Call("RESTORE", "f", "0", filter));
        Assert.Equal("+OK\r\n", logged.Call("RESTORE", "d", "0", document));
        logged.Call("BGREWRITEAOF");
        LoggedServer.Await(() => logged.Server.Server.Persistence.AppendOnly is { IsRewriting: false, Rewrites.Count: 1 });
        logged.Restart();
        Assert.Equal(filter, PayloadOf(logged.Call("DUMP", "f")));
        Assert.Equal(document, PayloadOf(logged.Call("DUMP", "d")));
        AppendOnlyLogException refused = Assert.Throws<AppendOnlyLogException>(() =>
            logged.Restart(static options => options.ModuleMissingTypes = MissingTypes.Refuse)
        );
        Assert.Contains("A value of the type 'bloom-001' cannot be read", refused.ToString(), StringComparison.Ordinal);
        logged.Restart(static options => options.Modules = [Bloom]);
        Assert.Equal(":1\r\n", logged.Call("BLOOM.EXISTS", "f", "x"));
        Assert.Equal(document, PayloadOf(logged.Call("DUMP", "d")));
    }

    // Nobody has looked at the bytes before.
    [Fact]
    public void A_kept_value_that_the_module_does_not_accept_stays_as_it_is()
    {
        var random = new Random(TestSeed.Choose(output, 1));
        using InProcessServer server = new(Keep, extensions: FromFiles);
        (string filter, string document) = NewPayloads();
        Assert.Equal("+OK\r\n", server.Call("DEBUG", "SET-SKIP-CHECKSUM-VALIDATION", "1"));
        int kept = 0;
        for (int i = 0; i < 2000; i++)
        {
            char[] damaged = (i % 2 == 0 ? filter : document).ToCharArray();
            for (int change = random.Next(1, 4); change > 0; change--)
                damaged[10 + random.Next(damaged.Length - 20)] = (char)random.Next(256);
            string reply = server.Call("RESTORE", $"k{i}", "0", new string(damaged));
            Assert.True(reply is "+OK\r\n" or "-ERR Bad data format\r\n", reply);
            kept += reply[0] == '+' ? 1 : 0;
        }

        Assert.NotEqual(0, kept);
        Assert.Equal("+OK\r\n", server.Call("MODULE", "LOAD", Bloom));
        Assert.Equal("+OK\r\n", server.Call("MODULE", "LOAD", Json));
        Assert.Equal($":{kept}\r\n", server.Call("DBSIZE"));
        for (int i = 0; i < 2000; i++)
        {
            Assert.Matches("^(:|-WRONGTYPE)", server.Call("BLOOM.EXISTS", $"k{i}", "x"));
            Assert.Matches(@"^(\$|-WRONGTYPE)", server.Call("JSON.GET", $"k{i}"));
        }
    }

    // All encodings of lengths and strings.
    [Fact]
    public void Items_of_every_kind_are_kept_as_they_are()
    {
        byte[] body =
        [
            7,
            0x81,
            1,
            2,
            3,
            4,
            5,
            6,
            7,
            8, // the type and its ID
            1,
            0x40,
            200, // signed, a length of two bytes
            2,
            0x80,
            0,
            0,
            1,
            0, // unsigned, of five
            2,
            0x81,
            0xFF,
            0xFF,
            0xFF,
            0xFF,
            0xFF,
            0xFF,
            0xFF,
            0xFF,
            3,
            1,
            2,
            3,
            4, // a float
            4,
            1,
            2,
            3,
            4,
            5,
            6,
            7,
            8, // a double
            5,
            3,
            (byte)'a',
            (byte)'b',
            (byte)'c',
            5,
            0x40,
            2,
            (byte)'d',
            (byte)'e',
            5,
            0xC0,
            7,
            5,
            0xC1,
            7,
            1,
            5,
            0xC2,
            7,
            1,
            2,
            3, // numbers
            5,
            0xC3,
            4,
            10,
            1,
            (byte)'a',
            0xE0,
            0, // compressed
            0,
        ];
        using InProcessServer server = new(Keep, extensions: FromFiles);
        server.Call("DEBUG", "SET-SKIP-CHECKSUM-VALIDATION", "1");
        string payload = Text([.. body, .. Footer()]);
        Assert.Equal("+OK\r\n", server.Call("RESTORE", "k", "0", payload));
        Assert.StartsWith(Text(body), PayloadOf(server.Call("DUMP", "k")), StringComparison.Ordinal);
        for (int end = 1; end < body.Length; end++)
        {
            string reply = server.Call("RESTORE", "cut", "0", Text([.. body[..end], .. Footer()]), "REPLACE");
            Assert.True(reply is "+OK\r\n" or "-ERR Bad data format\r\n", reply);
        }

        byte[] huge = [7, 0x81, 1, 2, 3, 4, 5, 6, 7, 8, 5, 0x81, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF];
        Assert.Equal("-ERR Bad data format\r\n", server.Call("RESTORE", "huge", "0", Text([.. huge, .. Footer()])));
    }

    private static byte[] Footer()
    {
        byte[] footer = new byte[10];
        BinaryPrimitives.WriteUInt16LittleEndian(footer, 11);
        return footer;
    }

    private static string Text(byte[] bytes) => System.Text.Encoding.Latin1.GetString(bytes);
}
