// OBJECT and its subcommands. One thread.
using Xunit;

namespace Garnet.Server.Tests.Commands.Keys;

public sealed class ObjectCommandTests
{
    [Theory]
    [InlineData("k", "12345", "int")]
    [InlineData("k", "-9223372036854775808", "int")]
    [InlineData("k", "9223372036854775808", "embstr")]
    [InlineData("k", "012", "embstr")]
    [InlineData("k", "", "embstr")]
    [InlineData("k", "text", "embstr")]
    public void ENCODING_distinguishes_integers_from_texts(string key, string value, string encoding)
    {
        using InProcessServer server = new();
        server.Call("SET", key, value);
        Assert.Equal($"${encoding.Length}\r\n{encoding}\r\n", server.Call("OBJECT", "ENCODING", key));
    }

    // Expected values from Valkey 9.1.2.
    [Theory]
    [InlineData("raw", "SET k 1", "APPEND k 2")]
    [InlineData("int", "APPEND k 2")]
    [InlineData("raw", "SET k v", "SETRANGE k 0 w")]
    [InlineData("raw", "SETRANGE k 3 w")]
    [InlineData("raw", "SETBIT k 7 1")]
    [InlineData("raw", "SET k v", "SETBIT k 0 0")]
    [InlineData("raw", "SET k v", "BITFIELD k SET u8 0 118")]
    [InlineData("embstr", "SET k v", "BITFIELD k GET u8 0")]
    [InlineData("raw", "SET a v", "BITOP NOT k a")]
    [InlineData("raw", "PFADD k v")]
    [InlineData("raw", "PFADD a v", "PFMERGE k a")]
    [InlineData("raw", "SET k v", "APPEND k w", "EXPIRE k 100", "PERSIST k")]
    [InlineData("raw", "SET a v", "APPEND a w", "RENAME a k")]
    [InlineData("raw", "SET a v", "APPEND a w", "COPY a k")]
    [InlineData("embstr", "SET k v", "APPEND k w", "SET k v")]
    [InlineData("int", "SET k 1", "APPEND k 2", "INCR k")]
    [InlineData("embstr", "SET k v", "APPEND k w", "GETSET k v")]
    public void ENCODING_is_raw_once_a_value_was_changed_in_place(string encoding, params string[] commands)
    {
        using InProcessServer server = new();
        foreach (string command in commands)
            Assert.NotEqual('-', server.Call(command.Split(' '))[0]);
        Assert.Equal($"${encoding.Length}\r\n{encoding}\r\n", server.Call("OBJECT", "ENCODING", "k"));
    }

    // Expected values from Valkey 9.1.2: a text of 108 bytes is embedded in an object with a key of one byte, but not with an expiry or a
    // longer key.
    [Theory]
    [InlineData("embstr", "SET k TEXT")]
    [InlineData("raw", "SET k TEXT EX 100")]
    [InlineData("raw", "SET k TEXT EX 100", "PERSIST k")]
    [InlineData("raw", "SET k TEXT", "EXPIRE k 100", "PERSIST k")]
    [InlineData("raw", "SET k TEXT", "GETEX k EX 100", "GETEX k PERSIST")]
    [InlineData("raw", "SET longer TEXT", "RENAME longer k")]
    [InlineData("raw", "SET longer TEXT", "COPY longer k")]
    [InlineData("raw", "SET a TEXT", "RENAME a longer", "RENAME longer k")]
    [InlineData("embstr", "SET k TEXT EX 100", "SET k TEXT")]
    [InlineData("int", "SET k 12 EX 100", "PERSIST k")]
    [Trait("Values", "InMemory")]
    public void ENCODING_stays_raw_once_a_text_did_not_fit_beside_its_key(string encoding, params string[] commands)
    {
        using InProcessServer server = new();
        foreach (string command in commands)
            Assert.NotEqual('-', server.Call(command.Replace("TEXT", new string('x', 108), StringComparison.Ordinal).Split(' '))[0]);
        Assert.Equal($"${encoding.Length}\r\n{encoding}\r\n", server.Call("OBJECT", "ENCODING", "k"));
    }

    // Expected values from Valkey 9.1.2.
    [Theory]
    [InlineData("embstr", "SET k 12", "INCRBYFLOAT k 1")]
    [InlineData("embstr", "INCRBYFLOAT k 5")]
    [InlineData("embstr", "INCRBYFLOAT k 5", "EXPIRE k 100", "PERSIST k")]
    [InlineData("embstr", "INCRBYFLOAT a 5", "RENAME a k")]
    [InlineData("embstr", "INCRBYFLOAT a 5", "COPY a k")]
    [InlineData("embstr", "INCRBYFLOAT k 5", "GETEX k EX 100")]
    [InlineData("embstr", "INCRBYFLOAT k 5", "BITFIELD k GET u8 0")]
    [InlineData("int", "INCRBYFLOAT k 5", "INCR k")]
    [InlineData("int", "INCRBYFLOAT k 5", "SET k 6")]
    [InlineData("int", "INCRBYFLOAT k 5", "GETSET k 6")]
    [InlineData("raw", "INCRBYFLOAT k 5", "APPEND k 1")]
    [InlineData("raw", "INCRBYFLOAT k 5", "SETRANGE k 0 6")]
    [InlineData("embstr", "APPEND k 5", "INCRBYFLOAT k 1")]
    public void ENCODING_is_embstr_for_an_integer_result_of_INCRBYFLOAT(string encoding, params string[] commands)
    {
        using InProcessServer server = new();
        foreach (string command in commands)
            Assert.NotEqual('-', server.Call(command.Split(' '))[0]);
        Assert.Equal($"${encoding.Length}\r\n{encoding}\r\n", server.Call("OBJECT", "ENCODING", "k"));
        server.Call("SET", "other", "1");
        Assert.Equal("$3\r\nint\r\n", server.Call("OBJECT", "ENCODING", "other"));
    }

    // Valkey 9.1.2 counts the access before it checks the type.
    [Theory]
    [InlineData("SET k v", "LLEN k")]
    [InlineData("SET k v", "HGET k f")]
    [InlineData("RPUSH k v", "GET k")]
    [InlineData("RPUSH k v", "INCR k")]
    public void A_command_for_another_type_counts_as_an_access(string write, string command)
    {
        using InProcessServer server = new();
        server.Call(write.Split(' '));
        Pass(server, seconds: 30);
        Assert.StartsWith("-WRONGTYPE", server.Call(command.Split(' ')), StringComparison.Ordinal);
        Assert.Equal(":0\r\n", server.Call("OBJECT", "IDLETIME", "k"));
    }

    // Lengths determined by experiment with Valkey 9.1.2.
    [Theory]
    [InlineData(1, false, 112)]
    [InlineData(1, true, 104)]
    [InlineData(31, false, 82)]
    [InlineData(32, false, 79)]
    [InlineData(64, true, 39)]
    public void ENCODING_is_raw_from_the_length_on_that_no_longer_shares_an_allocation_with_the_key(
        int keyLength,
        bool expires,
        int longest
    )
    {
        using InProcessServer server = new();
        string key = new('k', keyLength);
        foreach ((int length, string reply) in (IEnumerable<(int, string)>)[(longest, "$6\r\nembstr\r\n"), (longest + 1, "$3\r\nraw\r\n")])
        {
            server.Call("SET", key, new string('v', length));
            if (expires)
                server.Call("EXPIRE", key, "100");
            Assert.Equal(reply, server.Call("OBJECT", "encoding", key));
        }
    }

    [Theory]
    [InlineData("ENCODING")]
    [InlineData("FREQ")]
    [InlineData("IDLETIME")]
    [InlineData("REFCOUNT")]
    public void A_missing_key_gives_null(string subcommand)
    {
        using InProcessServer server = new();
        Assert.Equal("$-1\r\n", server.Call("OBJECT", subcommand, "a"));
    }

    [Fact]
    public void REFCOUNT_is_one_and_FREQ_is_not_tracked()
    {
        using InProcessServer server = new();
        server.Call("SET", "a", "5");
        Assert.Equal(":1\r\n", server.Call("OBJECT", "REFCOUNT", "a"));
        Assert.StartsWith(
            "-ERR An LFU maxmemory policy is not selected, access frequency not tracked.",
            server.Call("OBJECT", "FREQ", "a"),
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void IDLETIME_is_the_number_of_seconds_since_a_command_used_the_key()
    {
        using InProcessServer server = new();
        server.Call("SET", "a", "5");
        server.Call("SET", "b", "5");
        Pass(server, seconds: 20);
        foreach (
            string[] look in (string[][])
                [
                    ["TYPE", "a"],
                    ["TTL", "a"],
                    ["EXISTS", "a"],
                    ["OBJECT", "ENCODING", "a"],
                    ["MEMORY", "USAGE", "a"],
                ]
        )
        {
            server.Call(look);
        }

        Assert.Equal(":20\r\n", server.Call("OBJECT", "IDLETIME", "a"));
        server.Call("GET", "a");
        Assert.Equal(":0\r\n", server.Call("OBJECT", "IDLETIME", "a"));
        Pass(server, seconds: 5);
        server.Call("CLIENT", "NO-TOUCH", "ON");
        server.Call("GET", "a");
        server.Call("STRLEN", "b");
        Assert.Equal(":5\r\n", server.Call("OBJECT", "IDLETIME", "a"));
        Assert.Equal(":25\r\n", server.Call("OBJECT", "IDLETIME", "b"));
        server.Call("TOUCH", "b");
        Assert.Equal(":0\r\n", server.Call("OBJECT", "IDLETIME", "b"));
        Pass(server, seconds: 5);
        server.Call("RESET");
        server.Call("APPEND", "b", "5");
        Assert.Equal(":0\r\n", server.Call("OBJECT", "IDLETIME", "b"));
    }

    [Fact]
    public void HELP_lists_the_subcommands()
    {
        using InProcessServer server = new();
        string reply = server.Call("OBJECT", "HELP");
        Assert.StartsWith(
            "*15\r\n+OBJECT <subcommand> [<arg> [value] [opt] ...]. Subcommands are:\r\n+ENCODING <key>\r\n",
            reply,
            StringComparison.Ordinal
        );
        Assert.EndsWith("+HELP\r\n+    Print this help.\r\n", reply, StringComparison.Ordinal);
        Assert.Equal(16, reply.Split("\r\n").Length - 1);
    }

    [Theory]
    [InlineData("OBJECT", "-ERR wrong number of arguments for 'object' command\r\n")]
    [InlineData("OBJECT NOSUCH a", "-ERR unknown subcommand 'NOSUCH'. Try OBJECT HELP.\r\n")]
    [InlineData("OBJECT ENCODING", "-ERR wrong number of arguments for 'object|encoding' command\r\n")]
    public void Wrong_calls_are_refused(string command, string error)
    {
        using InProcessServer server = new();
        Assert.Equal(error, server.Call(command.Split(' ')));
    }

    private static void Pass(InProcessServer server, int seconds)
    {
        for (int i = 0; i < seconds; i++)
        {
            server.Clock.Advance(TimeSpan.FromSeconds(1));
            server.Store.Maintenance.Run();
        }
    }
}
