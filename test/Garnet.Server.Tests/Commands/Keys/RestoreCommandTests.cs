// RESTORE. One thread.
using System.Globalization;
using Garnet.Persistence.Rdb;
using Xunit;

namespace Garnet.Server.Tests.Commands.Keys;

public sealed class RestoreCommandTests
{
    private static readonly string Ten = Dumps.Text(Convert.FromHexString("00C00A0A006E9F57450EAE63BB"));

    [Fact]
    public void A_string_is_restored()
    {
        using InProcessServer server = new(recordEffects: true);
        foreach (string value in new[] { "", "12", "-100", "text!", new string('a', 1000), new string('b', 100_000) })
        {
            server.Call("SET", "k", value);
            string payload = Dumps.Text(Dumps.Of(server, "k"));
            server.Effects.Take();
            Assert.Equal("+OK\r\n", server.Call("RESTORE", "copy" + value.Length, "0", payload));
            Assert.Equal([$"RESTORE copy{value.Length} 0 {payload}"], server.Effects.Take());
            Assert.Equal(server.Call("GET", "k"), server.Call("GET", "copy" + value.Length));
            Assert.Equal(":-1\r\n", server.Call("PTTL", "copy" + value.Length));
        }
    }

    [Theory]
    [InlineData("list", "listpack", "01 03 0161 C005 0162", "12 01 02 0F 0F000000 0300 816102 0501 816202 FF")]
    [InlineData("list", "quicklist", "0A 10 10000000 0D000000 0200 00 0161 03 F6 FF", "12 01 02 0C 0C000000 0200 816102 0501 FF")]
    [InlineData("list", "listpack", "0E 01 10 10000000 0D000000 0200 00 0161 03 F6 FF", "12 01 02 0C 0C000000 0200 816102 0501 FF")]
    [InlineData("zset", "listpack", "0C 10 10000000 0D000000 0200 00 0161 03 F6 FF", "11 0C 0C000000 0200 816102 0501 FF")]
    [InlineData("hash", "listpack", "0D 10 10000000 0D000000 0200 00 0161 03 F6 FF", "10 0C 0C000000 0200 816102 0501 FF")]
    [InlineData("list", "listpack", "12 01 02 0C 0C000000 0200 816102 0501 FF", "12 01 02 0C 0C000000 0200 816102 0501 FF")]
    [InlineData(
        "list",
        "quicklist",
        "12 02 01 0162 02 0C 0C000000 0200 816102 0501 FF",
        "12 02 01 0162 02 0C 0C000000 0200 816102 0501 FF"
    )]
    [InlineData("set", "intset", "0B 0C 02000000 02000000 FFFF 0500", "0B 0C 02000000 02000000 FFFF 0500")]
    [InlineData("set", "intset", "02 02 0231 30 C2A0860100", "0B 10 04000000 02000000 0A000000 A0860100")]
    [InlineData("set", "listpack", "14 0C 0C000000 0200 816102 0501 FF", "02 02 0161 C005")]
    [InlineData("zset", "listpack", "11 0C 0C000000 0200 816102 0501 FF", "11 0C 0C000000 0200 816102 0501 FF")]
    [InlineData("zset", "listpack", "03 02 0161 FE 0162 03 322E35", "11 17 17000000 0400 816202 83322E3504 816102 83696E6604 FF")]
    [InlineData("zset", "listpack", "11 0E 0E000000 0200 816102 822D3003 FF", "11 0E 0E000000 0200 816102 822D3003 FF")]
    [InlineData("hash", "listpack", "10 0C 0C000000 0200 816102 0501 FF", "10 0C 0C000000 0200 816102 0501 FF")]
    [InlineData("hash", "listpack", "09 09 01 01 61 02 01 6262 78 FF", "10 0E 0E000000 0200 816102 82626203 FF")]
    public void A_collection_is_restored_from_every_format(string type, string encoding, string body, string dumped)
    {
        using InProcessServer server = new(recordEffects: true);
        string payload = Intact(body);
        Assert.Equal("+OK\r\n", server.Call("RESTORE", "k", "0", payload));
        Assert.Equal([$"RESTORE k 0 {payload}"], server.Effects.Take());
        Assert.Equal($"+{type}\r\n", server.Call("TYPE", "k"));
        Assert.Equal($"${encoding.Length}\r\n{encoding}\r\n", server.Call("OBJECT", "ENCODING", "k"));
        Assert.Equal(Hexadecimal(Intact(dumped)), Hexadecimal(Dumps.Text(Dumps.Of(server, "k"))));
        Assert.Equal("+OK\r\n", server.Call("RESTORE", "k", "0", Intact("00 0161"), "REPLACE"));
        Assert.Equal("$1\r\na\r\n", server.Call("GET", "k"));
    }

    [Fact]
    public void A_hash_with_expiring_fields_is_restored_and_dumped_in_the_version_that_has_them()
    {
        using InProcessServer server = new();
        string payload = Intact("16 02 0161 0162 FFFFFFFFFFFFFFFF 0163 0164 00F0000000040000", version: 80);
        Assert.Equal("+OK\r\n", server.Call("RESTORE", "k", "0", payload));
        Assert.Equal(Hexadecimal(payload), Hexadecimal(Dumps.Text(Dumps.Of(server, "k"))));
        Assert.Equal("+OK\r\n", server.Call("CONFIG", "SET", "rdb-version-check", "relaxed"));
        Assert.Equal(
            "+OK\r\n",
            server.Call("RESTORE", "redis", "0", Intact("18 00F0000000040000 02 00 0161 0162 01 0163 0164", version: 12))
        );
        Assert.Equal(Hexadecimal(payload), Hexadecimal(Dumps.Text(Dumps.Of(server, "redis"))));
        Assert.Equal(
            "+OK\r\n",
            server.Call(
                "RESTORE",
                "packed",
                "0",
                Intact("19 00F0000000040000 1F 1F000000 0600 816102 816202 0001 816302 816402 F400F000000004000009 FF", version: 12)
            )
        );
        Assert.Equal(Hexadecimal(payload), Hexadecimal(Dumps.Text(Dumps.Of(server, "packed"))));
    }

    // What older formats lack is derived from what they contain, so all give the same stream.
    [Theory]
    [InlineData("0F", "", "", "")]
    [InlineData("13", "43E8 01 00 00 01", "01", "")]
    [InlineData("15", "43E8 01 00 00 01", "01", "0100000000000000")]
    public void A_stream_is_restored_from_every_format(string form, string history, string read, string active)
    {
        const string id = "00000000000003E80000000000000001";
        const string entries = "01 10" + id + "1D 1D000000 0A00 0101 0001 0101 816602 0001 0201 0001 0001 817602 0401 FF 01 43E8 01";
        const string pending = "01" + id + "0100000000000000 01";
        using InProcessServer server = new();
        string consumer = "01 0163 0100000000000000" + active + "01" + id;
        Assert.Equal(
            "+OK\r\n",
            server.Call(
                "RESTORE",
                "k",
                "0",
                Intact(form + entries + history + "01 0167 43E8 01" + read + pending + consumer, form == "15" ? (byte)11 : (byte)10)
            )
        );
        Assert.Equal("*1\r\n*2\r\n$6\r\n1000-1\r\n*2\r\n$1\r\nf\r\n$1\r\nv\r\n", server.Call("XRANGE", "k", "-", "+"));
        Assert.Equal("*4\r\n:1\r\n$6\r\n1000-1\r\n$6\r\n1000-1\r\n*1\r\n*2\r\n$1\r\nc\r\n$1\r\n1\r\n", server.Call("XPENDING", "k", "g"));
        string plain = Intact("13" + entries + "43E8 01 00 00 01 01 0167 43E8 01 01" + pending + "01 0163 0100000000000000 01" + id);
        Assert.Equal(Hexadecimal(plain), Hexadecimal(Dumps.Text(Dumps.Of(server, "k"))));
    }

    // An intset and a listpack of the same integers, and a listpack with a text.
    [Theory]
    [InlineData("0B 0E 02000000 03000000 0100 0200 0300", "3", "intset")]
    [InlineData("0B 0E 02000000 03000000 0100 0200 0300", "2", "hashtable")]
    [InlineData("14 0D 0D000000 0300 0101 0201 0301 FF", "512", "listpack")]
    [InlineData("14 0C 0C000000 0200 0501 816102 FF", "0", "listpack")]
    public void A_set_is_encoded_as_it_was_saved_unless_it_is_too_large(string body, string mostIntegers, string encoding)
    {
        using InProcessServer server = new();
        server.Call("CONFIG", "SET", "set-max-intset-entries", mostIntegers);
        Assert.Equal("+OK\r\n", server.Call("RESTORE", "k", "0", Intact(body)));
        Assert.Equal($"${encoding.Length}\r\n{encoding}\r\n", server.Call("OBJECT", "ENCODING", "k"));
    }

    // Encoded as by Valkey 9.1.2: only by the number of elements, or by the nodes of a list.
    [Theory]
    [InlineData("zset", "listpack", "11 406D 6D000000 0200 E061", "63 0101 FF")]
    [InlineData("hash", "listpack", "10 406D 6D000000 0200 E061", "63 0101 FF")]
    [InlineData("set", "listpack", "14 406D 6D000000 0200 E061", "63 0101 FF")]
    [InlineData("set", "hashtable", "02 01 4061", "")]
    [InlineData("hash", "hashtable", "04 01 4061", "00")]
    [InlineData("hash", "hashtable", "16 01 01", "00 FFFFFFFFFFFFFFFF")]
    public void Packed_values_stay_packed_however_long_their_elements_are(string type, string encoding, string before, string behind)
    {
        using InProcessServer server = new();
        Assert.Equal(
            "+OK\r\n",
            server.Call(
                "RESTORE",
                "k",
                "0",
                Intact(before + string.Concat(Enumerable.Repeat("78", before.EndsWith("61", StringComparison.Ordinal) ? 0x61 : 1)) + behind)
            )
        );
        Assert.Equal($"+{type}\r\n", server.Call("TYPE", "k"));
        Assert.Equal($"${encoding.Length}\r\n{encoding}\r\n", server.Call("OBJECT", "ENCODING", "k"));
    }

    [Theory]
    [InlineData(1, 8200, "quicklist")]
    [InlineData(1, 8192, "quicklist")]
    [InlineData(1, 8100, "listpack")]
    [InlineData(2, 4050, "listpack")]
    [InlineData(2, 4100, "quicklist")]
    public void A_plain_list_becomes_a_quicklist_if_it_does_not_fit_in_one_node(int elements, int length, string encoding)
    {
        using InProcessServer server = new();
        string element = $"{0x4000 | length:X4}" + string.Concat(Enumerable.Repeat("78", length));
        Assert.Equal(
            "+OK\r\n",
            server.Call("RESTORE", "k", "0", Intact($"01 {elements:X2}" + string.Concat(Enumerable.Repeat(element, elements))))
        );
        Assert.Equal($"${encoding.Length}\r\n{encoding}\r\n", server.Call("OBJECT", "ENCODING", "k"));
    }

    // Parsed as by Valkey 9.1.2.
    [Theory]
    [InlineData("11 0F 0F000000 0200 816102 83", "78797A 04 FF", "0")]
    [InlineData("11 0F 0F000000 0200 816102 83", "312E78 04 FF", "1")]
    [InlineData("11 0E 0E000000 0200 816102 82", "2D30 03 FF", "-0")]
    [InlineData("03 01 0161 04", "20312E35", "1.5")]
    [InlineData("03 01 0161 04", "35650061", "5")]
    [InlineData("03 01 0161 06", "3078312E3870", "1.5")]
    [InlineData("03 01 0161 05", "3078317033", "8")]
    [InlineData("03 01 0161 04", "2D496E66", "-inf")]
    [InlineData("03 01 0161 02", "2D30", "0")]
    public void A_score_is_the_number_that_its_text_begins_with(string before, string text, string score)
    {
        using InProcessServer server = new();
        Assert.Equal("+OK\r\n", server.Call("RESTORE", "k", "0", Intact(before + text)));
        Assert.Equal($"${score.Length}\r\n{score}\r\n", server.Call("ZSCORE", "k", "a"));
    }

    // The short member comes first, while all members could still fit in a listpack, which does not keep the sign.
    [Fact]
    public void A_zero_keeps_its_sign_in_a_sorted_set_that_turns_out_to_be_no_listpack()
    {
        using InProcessServer server = new();
        string member = "4041" + string.Concat(Enumerable.Repeat("78", 0x41));
        Assert.Equal("+OK\r\n", server.Call("RESTORE", "k", "0", Intact("05 02 0161 0000000000000080" + member + "000000000000F03F")));
        Assert.Equal("$2\r\n-0\r\n", server.Call("ZSCORE", "k", "a"));
        Assert.Equal("+OK\r\n", server.Call("RESTORE", "k", "0", Intact("05 01 0161 0000000000000080"), "REPLACE"));
        Assert.Equal("$1\r\n0\r\n", server.Call("ZSCORE", "k", "a"));
    }

    // As in Valkey 9.1.2, the version and the checksum are ordinary bytes to a value that is longer than the bytes before them.
    [Fact]
    public void A_value_may_end_in_version_and_checksum()
    {
        using InProcessServer server = new();
        Assert.Equal("+OK\r\n", server.Call("RESTORE", "k", "0", Intact("00 04 6162")));
        Assert.Equal("$4\r\nab\n\0\r\n", server.Call("GET", "k"));
        Assert.Equal("+OK\r\n", server.Call("RESTORE", "k", "0", Intact("00 C0"), "REPLACE"));
        Assert.Equal("$2\r\n10\r\n", server.Call("GET", "k"));
        Assert.Equal("+OK\r\n", server.Call("RESTORE", "k", "0", Intact("00 C3 01 00 20"), "REPLACE"));
        Assert.Equal("$0\r\n\r\n", server.Call("GET", "k"));
    }

    [Theory]
    [InlineData(0, false, false)]
    [InlineData(1, true, true)]
    [InlineData(11, true, true)]
    [InlineData(12, true, true)]
    [InlineData(15, true, true)]
    [InlineData(79, true, true)]
    [InlineData(80, true, true)]
    [InlineData(81, false, true)]
    public void Versions_are_accepted_as_in_files_and_later_ones_on_request(byte version, bool isTaken, bool isTakenRelaxed)
    {
        using InProcessServer server = new();
        string payload = Intact("00 0161", version);
        Assert.Equal(isTaken, server.Call("RESTORE", "strict", "0", payload) == "+OK\r\n");
        server.Call("CONFIG", "SET", "rdb-version-check", "relaxed");
        Assert.Equal(isTakenRelaxed, server.Call("RESTORE", "relaxed", "0", payload) == "+OK\r\n");
    }

    // Valkey's LRU clock wraps around after 2^24 seconds.
    [Theory]
    [InlineData("5", 5)]
    [InlineData("16777215", 16777215)]
    [InlineData("16777216", 0)]
    [InlineData("16777223", 7)]
    [InlineData("9223372036854775807", 16777215)]
    public void IDLETIME_wraps_around_like_the_clock(string told, int seconds)
    {
        using InProcessServer server = new();
        Assert.Equal("+OK\r\n", server.Call("RESTORE", "k", "0", Ten, "IDLETIME", told));
        Assert.Equal($":{seconds}\r\n", server.Call("OBJECT", "IDLETIME", "k"));
    }

    [Fact]
    public void A_stream_keeps_the_nodes_that_it_was_saved_in_and_what_was_deleted_in_them()
    {
        using InProcessServer server = new();
        server.Call("CONFIG", "SET", "stream-node-max-entries", "2");
        for (int i = 1; i <= 5; i++)
            server.Call("XADD", "k", $"{i}-1", "f", "v");
        server.Call("XDEL", "k", "3-1");
        string payload = Dumps.Text(Dumps.Of(server, "k"));
        server.Call("CONFIG", "SET", "stream-node-max-entries", "100");
        Assert.Equal("+OK\r\n", server.Call("RESTORE", "copy", "0", payload));
        Assert.Equal(server.Call("XINFO", "STREAM", "k", "FULL"), server.Call("XINFO", "STREAM", "copy", "FULL"));
        Assert.Contains("$15\r\nradix-tree-keys\r\n:3\r\n", server.Call("XINFO", "STREAM", "copy"), StringComparison.Ordinal);
        Assert.Equal(Hexadecimal(payload), Hexadecimal(Dumps.Text(Dumps.Of(server, "copy"))));

        // The free space of the last node follows from its entries, deleted or not.
        server.Call("XADD", "copy", "6-1", "f", "v");
        server.Call("XTRIM", "copy", "MAXLEN", "~", "4");
        Assert.Equal(":5\r\n", server.Call("XLEN", "copy"));
        Assert.Equal(":2\r\n", server.Call("XTRIM", "copy", "MAXLEN", "~", "3"));
    }

    [Fact]
    public void Checksums_can_be_ignored()
    {
        using InProcessServer server = new(options => options.EnableDebugCommand = CommandAccess.Yes);
        string damaged = Ten[..^1] + "\0";
        Assert.Equal("+OK\r\n", server.Call("DEBUG", "SET-SKIP-CHECKSUM-VALIDATION", "1"));
        Assert.Equal("+OK\r\n", server.Call("RESTORE", "k", "0", damaged));
        Assert.Equal("$2\r\n10\r\n", server.Call("GET", "k"));
        Assert.Equal("+OK\r\n", server.Call("DEBUG", "SET-SKIP-CHECKSUM-VALIDATION", "0"));
        Assert.Equal("-ERR DUMP payload version or checksum are wrong\r\n", server.Call("RESTORE", "k", "0", damaged, "REPLACE"));
    }

    // Ziplists are not counted, as in Valkey.
    [Fact]
    public void Validated_packed_values_are_counted()
    {
        using InProcessServer server = new();
        foreach (
            string body in (string[])
                [
                    "00 0161",
                    "0E 01 10 10000000 0D000000 0200 00 0161 03 F6 FF",
                    "12 02 02 0C 0C000000 0200 816102 0501 FF 02 07 07000000 0000 FF",
                    "0B 0C 02000000 02000000 FFFF 0500",
                    "14 07 07000000 0000 FF",
                ]
        )
        {
            server.Call("RESTORE", "k", "0", Intact(body), "REPLACE");
        }

        Assert.Contains("\r\ndump_payload_sanitizations:4\r\n", server.Call("INFO", "stats"), StringComparison.Ordinal);
        server.Call("CONFIG", "RESETSTAT");
        Assert.Contains("\r\ndump_payload_sanitizations:0\r\n", server.Call("INFO", "stats"), StringComparison.Ordinal);
    }

    [Fact]
    public void An_existing_key_is_replaced_only_when_asked()
    {
        using InProcessServer server = new();
        server.Call("SET", "k", "old", "EX", "100");
        Assert.Equal("-BUSYKEY Target key name already exists.\r\n", server.Call("RESTORE", "k", "0", Ten));
        Assert.Equal("+OK\r\n", server.Call("RESTORE", "k", "0", Ten, "replace"));
        Assert.Equal("$2\r\n10\r\n", server.Call("GET", "k"));
        Assert.Equal(":-1\r\n", server.Call("PTTL", "k"));
    }

    [Fact]
    public void The_effect_of_a_relative_time_is_an_absolute_one()
    {
        using InProcessServer server = new(recordEffects: true);
        Assert.Equal("+OK\r\n", server.Call("RESTORE", "k", "5000", Ten, "IDLETIME", "5"));
        Assert.Equal(":5000\r\n", server.Call("PTTL", "k"));
        string at = server.Call("PEXPIRETIME", "k").Trim(':', '\r', '\n');
        Assert.Equal([$"RESTORE k {at} {Ten} IDLETIME 5 ABSTTL"], server.Effects.Take());
        long later = long.Parse(at, CultureInfo.InvariantCulture) + 7;
        Assert.Equal("+OK\r\n", server.Call("RESTORE", "k", $"{later}", Ten, "ABSTTL", "REPLACE"));
        Assert.Equal($":{later}\r\n", server.Call("PEXPIRETIME", "k"));
        Assert.Equal([$"RESTORE k {later} {Ten} ABSTTL REPLACE"], server.Effects.Take());
    }

    [Fact]
    public void A_time_that_has_passed_leaves_no_key()
    {
        using InProcessServer server = new(recordEffects: true);
        Assert.Equal("+OK\r\n", server.Call("RESTORE", "k", "1", Ten, "ABSTTL"));
        Assert.Equal(":0\r\n", server.Call("EXISTS", "k"));
        Assert.Empty(server.Effects.Take());
        server.Call("SET", "k", "v");
        server.Effects.Take();
        Assert.Equal("+OK\r\n", server.Call("RESTORE", "k", "1", Ten, "ABSTTL", "REPLACE"));
        Assert.Equal(":0\r\n", server.Call("EXISTS", "k"));
        Assert.Equal(["DEL k"], server.Effects.Take());
    }

    [Theory]
    [InlineData("FOO", "-ERR syntax error\r\n")]
    [InlineData("IDLETIME", "-ERR syntax error\r\n")]
    [InlineData("IDLETIME 1 FREQ 1", "-ERR syntax error\r\n")]
    [InlineData("FREQ 1 IDLETIME 1", "-ERR syntax error\r\n")]
    [InlineData("IDLETIME x", "-ERR value is not an integer or out of range\r\n")]
    [InlineData("IDLETIME -1", "-ERR Invalid IDLETIME value, must be >= 0\r\n")]
    [InlineData("FREQ 256", "-ERR Invalid FREQ value, must be >= 0 and <= 255\r\n")]
    [InlineData("FREQ -1", "-ERR Invalid FREQ value, must be >= 0 and <= 255\r\n")]
    public void Wrong_options_are_refused(string options, string error)
    {
        using InProcessServer server = new();
        Assert.Equal(error, server.Call(["RESTORE", "k", "0", Ten, .. options.Split(' ')]));
        Assert.Equal(":0\r\n", server.Call("EXISTS", "k"));
    }

    [Theory]
    [InlineData("x", "-ERR value is not an integer or out of range\r\n")]
    [InlineData("-1", "-ERR Invalid TTL value, must be >= 0\r\n")]
    public void Wrong_times_are_refused(string ttl, string error)
    {
        using InProcessServer server = new();
        Assert.Equal(error, server.Call("RESTORE", "k", ttl, Ten));
    }

    [Fact]
    public void A_damaged_payload_is_refused()
    {
        const string error = "-ERR DUMP payload version or checksum are wrong\r\n";
        using InProcessServer server = new(recordEffects: true);
        Assert.Equal(error, server.Call("RESTORE", "k", "0", ""));
        Assert.Equal(error, server.Call("RESTORE", "k", "0", Ten[..9]));
        for (int i = 0; i < Ten.Length; i++)
        {
            char[] damaged = Ten.ToCharArray();
            damaged[i] ^= (char)1;
            Assert.Equal(error, server.Call("RESTORE", "k", "0", new string(damaged)));
        }

        Assert.Empty(server.Effects.Take());
        Assert.Equal(":0\r\n", server.Call("DBSIZE"));
    }

    [Theory]
    [InlineData("")]
    [InlineData("00")]
    [InlineData("08 00")]
    [InlineData("FE 00")]
    [InlineData("00 0D 61")]
    [InlineData("00 80 7FFFFFFF")]
    [InlineData("00 C3 02 8001000000 2061")]
    [InlineData("01 00")]
    [InlineData("01 81 FFFFFFFFFFFFFFFF")]
    [InlineData("02 02 0161 0161")]
    [InlineData("04 02 0161 00 0161 00")]
    [InlineData("05 01 0161 000000000000F87F")]
    [InlineData("06 00")]
    [InlineData("07 81 0102030405060708 00")]
    [InlineData("0B 08 0200000000000000")]
    [InlineData("12 01 01 00")]
    [InlineData("12 01 03 00")]
    [InlineData("14 07 07000000 0000 FF")]
    [InlineData("16 01 0161 0162 FEFFFFFFFFFFFFFF")]
    [InlineData("17 00")]
    [InlineData("0C 10 10000000 0B000000 0200 00 0161 03 F6 FF")]
    [InlineData("03 01 0161 05 696E666978")]
    [InlineData("03 01 0161 02 3078")]
    [InlineData("1A 00")]
    public void An_intact_but_meaningless_payload_is_rejected(string body)
    {
        using InProcessServer server = new(recordEffects: true);
        Assert.Equal("-ERR Bad data format\r\n", server.Call("RESTORE", "k", "0", Intact(body)));
        Assert.Empty(server.Effects.Take());
        Assert.Equal(":0\r\n", server.Call("DBSIZE"));
    }

    private static string Intact(string body, byte version = 10)
    {
        byte[] payload = [.. Convert.FromHexString(body.Replace(" ", "", StringComparison.Ordinal)), version, 0];
        return Dumps.Text([.. payload, .. BitConverter.GetBytes(Crc64.Append(0, payload))]);
    }

    private static string Hexadecimal(string payload) => Convert.ToHexString(System.Text.Encoding.Latin1.GetBytes(payload));
}
