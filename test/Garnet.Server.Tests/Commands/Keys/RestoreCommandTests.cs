// RESTORE. One thread.
using System.Globalization;
using Garnet.Persistence.Rdb;
using Xunit;

namespace Garnet.Server.Tests.Commands.Keys;

public sealed class RestoreCommandTests
{
    private static readonly string Ten = Dumps.Text(Convert.FromHexString("00C00A0A006E9F57450EAE63BB"));

    [Fact]
    public void A_string_comes_back()
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
    [InlineData("list", "listpack", "01 03 0161 C005 0162", "01 03 0161 C005 0162")]
    [InlineData("list", "listpack", "0A 10 10000000 0A000000 0200 00 0161 03 F6 FF", "01 02 0161 C005")]
    [InlineData("list", "listpack", "0E 01 10 10000000 0A000000 0200 00 0161 03 F6 FF", "01 02 0161 C005")]
    [InlineData("zset", "listpack", "0C 10 10000000 0A000000 0200 00 0161 03 F6 FF", "05 01 0161 0000000000001440")]
    [InlineData("hash", "listpack", "0D 10 10000000 0A000000 0200 00 0161 03 F6 FF", "04 01 0161 C005")]
    [InlineData("list", "listpack", "12 01 02 0C 0C000000 0200 816102 0501 FF", "01 02 0161 C005")]
    [InlineData("list", "listpack", "12 02 01 0162 02 0C 0C000000 0200 816102 0501 FF", "01 03 0162 0161 C005")]
    [InlineData("set", "intset", "0B 0C 02000000 02000000 FFFF 0500", "02 02 C0FF C005")]
    [InlineData("set", "listpack", "14 0C 0C000000 0200 816102 0501 FF", "02 02 0161 C005")]
    [InlineData("zset", "listpack", "11 0C 0C000000 0200 816102 0501 FF", "05 01 0161 0000000000001440")]
    [InlineData("zset", "listpack", "03 02 0161 FE 0162 03 322E35", "05 02 0162 0000000000000440 0161 000000000000F07F")]
    [InlineData("hash", "listpack", "10 0C 0C000000 0200 816102 0501 FF", "04 01 0161 C005")]
    [InlineData("hash", "listpack", "09 09 01 01 61 02 01 6262 78 FF", "04 01 0161 026262")]
    public void A_collection_comes_back_from_every_form(string type, string encoding, string body, string plain)
    {
        using InProcessServer server = new(recordEffects: true);
        string payload = Intact(body);
        Assert.Equal("+OK\r\n", server.Call("RESTORE", "k", "0", payload));
        Assert.Equal([$"RESTORE k 0 {payload}"], server.Effects.Take());
        Assert.Equal($"+{type}\r\n", server.Call("TYPE", "k"));
        Assert.Equal($"${encoding.Length}\r\n{encoding}\r\n", server.Call("OBJECT", "ENCODING", "k"));
        Assert.Equal(Hexadecimal(Intact(plain)), Hexadecimal(Dumps.Text(Dumps.Of(server, "k"))));
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
        Assert.Equal("+OK\r\n", server.Call("RESTORE", "redis", "0", Intact("18 00F0000000040000 02 00 0161 0162 01 0163 0164", version: 12)));
        Assert.Equal(Hexadecimal(payload), Hexadecimal(Dumps.Text(Dumps.Of(server, "redis"))));
        Assert.Equal("+OK\r\n", server.Call("RESTORE", "packed", "0", Intact("19 00F0000000040000 1F 1F000000 0600 816102 816202 0001 816302 816402 F400F000000004000009 FF", version: 12)));
        Assert.Equal(Hexadecimal(payload), Hexadecimal(Dumps.Text(Dumps.Of(server, "packed"))));
    }

    // What older forms do not have follows from what they have, so all come back in the same.
    [Theory]
    [InlineData("0F", "", "", "")]
    [InlineData("13", "43E8 01 00 00 01", "01", "")]
    [InlineData("15", "43E8 01 00 00 01", "01", "0100000000000000")]
    public void A_stream_comes_back_from_every_form(string form, string history, string read, string active)
    {
        const string id = "00000000000003E80000000000000001";
        const string entries = "01 10" + id + "1D 1D000000 0A00 0101 0001 0101 816602 0001 0201 0001 0001 817602 0401 FF 01 43E8 01";
        const string pending = "01" + id + "0100000000000000 01";
        using InProcessServer server = new();
        string consumer = "01 0163 0100000000000000" + active + "01" + id;
        Assert.Equal("+OK\r\n", server.Call("RESTORE", "k", "0", Intact(form + entries + history + "01 0167 43E8 01" + read + pending + consumer, form == "15" ? (byte)11 : (byte)10)));
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
    public void A_relative_time_is_handed_on_as_a_point_in_time()
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
    [InlineData("00 05 61")]
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
    [InlineData("16 01 0161 0162 FFFFFFFFFFFFFFFF")]
    [InlineData("1A 00")]
    public void An_intact_payload_without_sense_is_refused(string body)
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
